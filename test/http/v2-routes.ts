import type { FastifyInstance } from 'fastify';

export interface Route {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
  /** With its parameters, as in /api/v2/accounts/:id. */
  readonly path: string;
}

/** Every route below /api/v2 that the app has, so that tests over all of them cover a new one by themselves. */
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
