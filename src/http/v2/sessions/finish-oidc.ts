import { forgetPendingSignIn, pendingSignIn } from '../../auth/pending-sign-in.js';
import { returnPath } from '../../auth/return-path.js';
import { ANY_QUERY, operation, type V2App, type V2Parts } from '../operation.js';
import { callbackUrlOf, OIDC_RESPONSE, refuseSignIn } from './oidc-redirects.js';

export function finishOidc(app: V2App, parts: V2Parts): void {
  const { signIn } = parts;
  const options = operation(parts, 'none', {
    id: 'finish-oidc',
    tag: 'Sessions',
    summary: 'Finish a sign-in by OpenID Connect',
    description:
      'The provider leads the browser here, with parameters of its own. Sets the cookie of the session, and leads to ' +
      'the console; if the sign-in failed, to its sign-in page, with a code as `problem`. Failures count as failed ' +
      'sign-ins.',
    // The provider decides on the parameters, and the library checks them.
    schema: { querystring: ANY_QUERY },
    responses: { 302: OIDC_RESPONSE },
  });
  app.get('/session/oidc/callback', { ...options, exposeHeadRoute: false }, async (request, reply) => {
    const pending = pendingSignIn(request);
    // Deleted whatever the result is, so that a callback cannot be repeated.
    forgetPendingSignIn(reply);
    try {
      const callback = new URL(callbackUrlOf(request, parts));
      callback.search = request.url.replace(/^[^?]*/, '');
      await signIn.byIdentity(callback, pending, request, reply);
      // Checked again, because another host of the same domain can set the cookie.
      return reply.redirect(returnPath(pending?.returnTo));
    } catch (error) {
      return refuseSignIn(reply, error);
    }
  });
}
