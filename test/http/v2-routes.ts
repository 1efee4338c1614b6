import type { FastifyInstance } from 'fastify';

export interface Route {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
  /** With parameters, such as /api/v2/accounts/:id. */
  readonly path: string;
}

/** All routes below /api/v2, so that tests over all of them include new ones. */
export function routesOf(app: FastifyInstance): Route[] {
  const routes: Route[] = [];
  const above: string[] = [];
  for (const line of app.printRoutes({ commonPrefix: false }).split('\n')) {
    const [, indent, part, methods] = /^([│ ]*)[├└]── (\S+)(?: \((.*)\))?$/.exec(line) ?? [];
    if (indent === undefined) continue;
    const depth = indent.length / 4;
    above.length = depth;
    above.push(part ?? '');
    const path = above.join('');
    if (!path.startsWith('/api/v2/')) continue;
    for (const method of methods?.split(', ') ?? []) routes.push({ method: method as Route['method'], path });
  }
  return routes;
}
