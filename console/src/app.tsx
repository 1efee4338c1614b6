import { Center, Loader } from '@mantine/core';
import { type ComponentType, lazy, Suspense } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { useSearch } from 'wouter/use-browser-location';
import { type Scope, useSession } from './api/session';
import { ErrorState } from './components/error-state';
import { SignIn } from './pages/sign-in/sign-in';
import { NotFound } from './shell/not-found';
import { PageBoundary } from './shell/page-boundary';
import { Shell } from './shell/shell';

/** The browser reports only which file failed to load, so the message is replaced. */
const page = (load: () => Promise<{ default: ComponentType }>) =>
  lazy(() =>
    load().catch(() => {
      throw new Error(
        'The page could not be loaded. Check that the server is running and that this computer is connected to it.',
      );
    }),
  );

/** Each page is loaded when it is opened. Pages that need a scope that the key lacks are not routed. */
const PAGES: readonly { path: string; scope: Scope; page: ComponentType }[] = [
  { path: '/', scope: 'read', page: page(() => import('./pages/overview/overview')) },
  { path: '/accounts', scope: 'read', page: page(() => import('./pages/accounts/accounts')) },
  { path: '/accounts/:id', scope: 'read', page: page(() => import('./pages/account/account')) },
  { path: '/sources', scope: 'read', page: page(() => import('./pages/sources/sources')) },
  { path: '/runs', scope: 'read', page: page(() => import('./pages/runs/runs')) },
  { path: '/runs/:id', scope: 'read', page: page(() => import('./pages/run/run')) },
  { path: '/rejections', scope: 'read', page: page(() => import('./pages/rejections/rejections')) },
  { path: '/attributes', scope: 'read', page: page(() => import('./pages/attributes/attributes')) },
  { path: '/webhooks', scope: 'admin', page: page(() => import('./pages/webhooks/webhooks')) },
  { path: '/webhooks/:id', scope: 'admin', page: page(() => import('./pages/webhook/webhook')) },
  { path: '/settings/:section?', scope: 'admin', page: page(() => import('./pages/settings/settings')) },
  { path: '/try', scope: 'sync', page: page(() => import('./pages/try/try-it')) },
];

export function App() {
  const session = useSession();
  const [location] = useLocation();
  if (session.isPending) return <Loading />;
  if (session.isError) return <ErrorState error={session.error} retry={() => session.refetch()} />;
  if (session.data === null) return <SignIn />;
  const { scopes } = session.data;
  const pages = PAGES.filter(({ scope }) => scopes.includes(scope));
  return (
    <Shell session={session.data}>
      <PageBoundary location={location}>
        <Suspense fallback={<Loading />}>
          <Switch>
            {pages.map(({ path, page }) => (
              <Route key={path} path={path} component={page} />
            ))}
            <Route path="/refusals">
              <RejectionsRedirect />
            </Route>
            <Route>
              <NotFound />
            </Route>
          </Switch>
        </Suspense>
      </PageBoundary>
    </Shell>
  );
}

/** `/refusals` is the former address of the page. Links to it keep working, with their filters. */
function RejectionsRedirect() {
  // The raw query string: the router's own hook decodes it, which would change values such as `a%26b`.
  const query = useSearch();
  return <Redirect to={`/rejections${query}`} replace />;
}

function Loading() {
  return (
    <Center mih="50vh">
      <Loader type="dots" aria-label="Loading" />
    </Center>
  );
}
