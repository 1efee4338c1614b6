import { parser } from '@prometheus-io/lezer-promql';
import type { Labels } from './exposed-metrics.js';

type Node = ReturnType<typeof parser.parse>['topNode'];

/** What an expression names that does not exist, and errors in its syntax; one sentence each. */
export function problemsOf(expression: string, metrics: Map<string, Labels>): string[] {
  const problems: string[] = [];
  const textOf = (node: Node | null) => (node === null ? '' : expression.slice(node.from, node.to));
  parser.parse(expression).iterate({
    enter: ({ type, node }) => {
      if (type.isError) problems.push(`syntax error at ${node.from}`);
      if (type.name === 'VectorSelector') problems.push(...problemsOfSelector(node));
      if (type.name === 'AggregateExpr') problems.push(...problemsOfGrouping(node));
    },
  });
  return problems;

  function problemsOfSelector(node: Node): string[] {
    const name = textOf(node.getChild('Identifier'));
    const labels = metrics.get(name);
    if (labels === undefined) return [`no metric ${name}`];
    const matchers = node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? [];
    return matchers.flatMap((matcher) => {
      const label = textOf(matcher.getChild('LabelName'));
      const known = labels.get(label);
      if (known === undefined) return [`${name} has no label ${label}`];
      if (isOfPrometheus(label)) return [];
      const values = textOf(matcher.getChild('StringLiteral')).slice(1, -1).split('|');
      return values
        .filter((value) => ![...known].some((one) => new RegExp(`^(${value})$`).test(one)))
        .map((value) => `${name} never has ${label}="${value}"`);
    });
  }

  function problemsOfGrouping(node: Node): string[] {
    const by = node.getChild('AggregateModifier')?.getChild('GroupingLabels')?.getChildren('LabelName') ?? [];
    return selectorsIn(node).flatMap((selector) => {
      const name = textOf(selector.getChild('Identifier'));
      return by
        .map(textOf)
        .filter((label) => !metrics.get(name)?.has(label))
        .map((label) => `${name} has no label ${label} to group by`);
    });
  }
}

/** The names of the metrics in an expression. */
export function metricsOf(expression: string): string[] {
  return selectorsIn(parser.parse(expression).topNode).map((node) => {
    const name = node.getChild('Identifier');
    return expression.slice(name?.from, name?.to);
  });
}

/** Prometheus sets these labels, so their values are not the service's. */
const isOfPrometheus = (label: string) => label === 'job' || label === 'instance';

function selectorsIn(node: Node): Node[] {
  const found: Node[] = [];
  node.cursor().iterate((inner) => {
    if (inner.name === 'VectorSelector') found.push(inner.node);
  });
  return found;
}
