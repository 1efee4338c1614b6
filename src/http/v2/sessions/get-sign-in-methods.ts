import Type from 'typebox';
import { nullable } from '../../../wire/schemas.js';
import { operation, type V2App, type V2Parts } from '../operation.js';

const MethodsSchema = Type.Object(
  {
    password: Type.Boolean({ description: 'With an e-mail address and a password.' }),
    key: Type.Boolean({ description: 'With an API key.' }),
    oidc: nullable(
      Type.Object(
        { name: Type.String({ description: 'What the operator calls the provider.' }) },
        { description: 'By OpenID Connect, with `start-oidc`; null if there is no provider.' },
      ),
    ),
  },
  { title: 'SignInMethods', examples: [{ password: true, key: true, oidc: { name: 'Acme' } }] },
);

export function getSignInMethods(app: V2App, parts: V2Parts): void {
  const options = operation(parts, 'none', {
    id: 'get-sign-in-methods',
    tag: 'Sessions',
    summary: 'Read how people can sign in',
    description: 'The setting `ACCOUNT_SYNC_SIGN_IN` of the server decides.',
    schema: {},
    responses: { 200: { description: 'Which methods are switched on.', schema: MethodsSchema } },
  });
  const { signIn, config } = parts;
  app.get('/sign-in-methods', options, async () => ({
    password: signIn.isOn('password'),
    key: signIn.isOn('key'),
    oidc: config.oidc === undefined ? null : { name: config.oidc.name },
  }));
}
