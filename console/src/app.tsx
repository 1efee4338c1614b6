import { Center, Loader } from '@mantine/core';
import { type ComponentType, lazy, Suspense } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { type Scope, useSession } from './api/session';
import { SignIn } from './pages/sign-in/sign-in';
import { ErrorState } from './parts/error-state';
import { NotFound } from './shell/not-found';
import { PageBoundary } from './shell/page-boundary';
import { Shell } from './shell/shell';

/** The browser says only which file it did not get. */
const page = (load: () => Promise<{ default: ComponentType }>) =>
  lazy(() =>
    load().catch(() => {
      throw new Error('The page could not be loaded. Is the server running, and is this machine connected?');
    }),
  );

/** Each page is loaded when it is opened; what the key may not do has no page. */
const PAGES: readonly { path: string; scope: Scope; page: ComponentType }[] = [
  { path: '/', scope: 'read', page: page(() => import('./pages/overview/overview')) },
  { path: '/accounts', scope: 'read', page: page(() => import('./pages/accounts/accounts')) },
  { path: '/accounts/:id', scope: 'read', page: page(() => import('./pages/account/account')) },
  { path: '/refusals', scope: 'read', page: page(() => import('./pages/refusals/refusals')) },
  { path: '/attributes', scope: 'read', page: page(() => import('./pages/attributes/attributes')) },
  { path: '/settings/:section?', scope: 'admin', page: page(() => import('./pages/settings/settings')) },
  { path: '/try', scope: 'sync', page: page(() => import('./pages/try/try-it')) },
];

export function App() {
  const session = useSession();
  const [location] = useLocation();
  if (session.isPending) return <Waiting />;
  if (session.isError) return <ErrorState error={session.error} retry={() => session.refetch()} />;
  if (session.data === null) return <SignIn />;
  const { scopes } = session.data;
  const pages = PAGES.filter(({ scope }) => scopes.includes(scope));
  return (
    <Shell session={session.data}>
      <PageBoundary location={location}>
        <Suspense fallback={<Waiting />}>
          <Switch>
            {pages.map(({ path, page }) => (
              <Route key={path} path={path} component={page} />
            ))}
            <Route>
              <NotFound />
            </Route>
          </Switch>
        </Suspense>
      </PageBoundary>
    </Shell>
  );
}

function Waiting() {
  return (
    <Center mih="50vh">
      <Loader type="dots" aria-label="Loading" />
    </Center>
  );
}
