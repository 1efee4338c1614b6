import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { OidcProblem } from '../../auth/oidc-problem.js';
import { publicUrlOf } from '../../public-url.js';
import { toHttpError } from '../../replies/error-replies.js';
import type { V2Parts } from '../operation.js';

/** The address of `finish-oidc`, which the operator registers at the provider. */
export function callbackUrlOf(request: FastifyRequest, { config }: V2Parts): string {
  return `${publicUrlOf(request, config)}/api/v2/session/oidc/callback`;
}

export const OIDC_RESPONSE = {
  description: 'The address where the sign-in goes on.',
  headers: { Location: Type.String({ description: 'Of the provider, or of a page of the console.' }) },
};

export const SIGN_IN_PAGE = '/console/sign-in';

/** People see the answer, so it is a page that explains the problem; a failure of the service is thrown. */
export function refuseSignIn(reply: FastifyReply, error: unknown): FastifyReply {
  const refusal = error instanceof OidcProblem ? error : toHttpError(error as FastifyError);
  if (refusal === undefined) throw error;
  return reply.redirect(`${SIGN_IN_PAGE}?problem=${refusal.code}`);
}
