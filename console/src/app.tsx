import { Center, Loader } from '@mantine/core';
import { type ComponentType, lazy, Suspense } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { useSearch } from 'wouter/use-browser-location';
import { useSession } from './api/session';
import { ErrorState } from './components/error-state';
import { SignIn } from './pages/sign-in/sign-in';
import { NotFound } from './shell/not-found';
import { PageBoundary } from './shell/page-boundary';
import { mayOpen } from './shell/page-scopes';
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

/** Each page is loaded when it is opened. Pages that the session has no scope for are not routed. */
const PAGES: readonly { path: string; page: ComponentType }[] = [
  { path: '/', page: page(() => import('./pages/overview/overview')) },
  { path: '/accounts', page: page(() => import('./pages/accounts/accounts')) },
  { path: '/accounts/:id', page: page(() => import('./pages/account/account')) },
  { path: '/sources', page: page(() => import('./pages/sources/sources')) },
  { path: '/runs', page: page(() => import('./pages/runs/runs')) },
  { path: '/runs/:id', page: page(() => import('./pages/run/run')) },
  { path: '/rejections', page: page(() => import('./pages/rejections/rejections')) },
  { path: '/attributes', page: page(() => import('./pages/attributes/attributes')) },
  { path: '/webhooks', page: page(() => import('./pages/webhooks/webhooks')) },
  { path: '/webhooks/:id', page: page(() => import('./pages/webhook/webhook')) },
  { path: '/settings/:section?', page: page(() => import('./pages/settings/settings')) },
  { path: '/try', page: page(() => import('./pages/try/try-it')) },
  { path: '/profile', page: page(() => import('./pages/profile/profile')) },
];

const Welcome = page(() => import('./pages/welcome/welcome'));

/** One-time links open the welcome page, whether the browser is signed in or not. */
export function App() {
  const [location] = useLocation();
  if (location !== '/welcome') return <SignedIn location={location} />;
  return (
    <PageBoundary location={location}>
      <Suspense fallback={<Loading />}>
        <Welcome />
      </Suspense>
    </PageBoundary>
  );
}

function SignedIn({ location }: { location: string }) {
  const session = useSession();
  if (session.isPending) return <Loading />;
  if (session.isError) return <ErrorState error={session.error} retry={() => session.refetch()} />;
  if (session.data === null) return <SignIn />;
  const { scopes, tenant } = session.data;
  const pages = PAGES.filter(({ path }) => mayOpen(path, scopes));
  return (
    <Shell session={session.data}>
      {/* Another tenant has other data, so nothing of a page is kept when the user switches to it. */}
      <PageBoundary key={tenant} location={location}>
        <Suspense fallback={<Loading />}>
          <Switch>
            {pages.map(({ path, page }) => (
              <Route key={path} path={path} component={page} />
            ))}
            <Route path="/refusals">
              <RejectionsRedirect />
            </Route>
            <Route path="/sign-in">
              <Redirect to="/" replace />
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
