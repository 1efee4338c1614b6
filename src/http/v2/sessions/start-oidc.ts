import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { OidcProblem } from '../../auth/oidc-problem.js';
import { keepPendingSignIn } from '../../auth/pending-sign-in.js';
import { operation, type V2App, type V2Parts } from '../operation.js';
import { callbackUrlOf, OIDC_RESPONSE, refuseSignIn, SIGN_IN_PAGE } from './oidc-redirects.js';

/**
 * Whether a page of another origin has led the browser here. Such a page must not sign the user in, which needs no click
 * if the user is signed in at the provider. Browsers send the header over HTTPS, and to servers on their own machine.
 */
function isFromElsewhere({ headers }: FastifyRequest): boolean {
  return ['cross-site', 'same-site'].includes(String(headers['sec-fetch-site']));
}

const Query = Type.Object(
  {
    return_to: Type.Optional(
      Type.String({ description: 'Path in the console. Example: `/console/accounts`.' }),
    ),
  },
  { additionalProperties: false },
);

export function startOidc(app: V2App, parts: V2Parts): void {
  const { signIn } = parts;
  const options = operation(parts, 'none', {
    id: 'start-oidc',
    tag: 'Sessions',
    summary: 'Sign a browser in by OpenID Connect',
    description:
      'Leads the browser to the OpenID provider, which leads it to `finish-oidc`, and that to `return_to` in the ' +
      'console. For links in pages, not for programs. If the sign-in cannot begin, it leads to the sign-in page, with ' +
      'a code as `problem`; if a page of another origin has led the browser here, without one.',
    schema: { querystring: Query },
    responses: { 302: OIDC_RESPONSE },
  });
  app.get('/session/oidc', options, async (request, reply) => {
    if (isFromElsewhere(request)) return reply.redirect(SIGN_IN_PAGE);
    try {
      const { url, pending } = await signIn.oidc.start(
        callbackUrlOf(request, parts),
        request.query.return_to,
      );
      keepPendingSignIn(reply, pending);
      return reply.redirect(url.href);
    } catch (error) {
      if (error instanceof OidcProblem) {
        const { code: problem, reason } = error;
        request.log.warn({ id: request.id, problem, reason }, 'sign-in failed');
      }
      return refuseSignIn(reply, error);
    }
  });
}
