import type { TSchema } from 'typebox';
import { refer } from './refer.js';

interface Parameter {
  readonly description?: string;
  readonly examples?: readonly unknown[];
}

/** The page sends every example that it finds; of parameters that may be left out, words give one instead. */
export function describeParameters(schema: TSchema) {
  const { properties, required = [] } = refer(schema, {}) as {
    properties: Record<string, Parameter>;
    required?: string[];
  };
  const described = Object.entries(properties).map(([name, parameter]) => {
    const { examples, description, ...others } = parameter;
    if (examples === undefined || required.includes(name)) return [name, parameter];
    return [name, { ...others, description: `${description}, as in \`${examples[0]}\`` }];
  });
  return { type: 'object', required, properties: Object.fromEntries(described) };
}
