import { usePrefetchQuery } from '@tanstack/react-query'
import { Redirect, Route, Switch, useLocation } from 'wouter'
import { AccountPage } from '../account/account-page.tsx'
import { useFeatures } from '../api/features.tsx'
import { AuditPage } from '../audit/audit-page.tsx'
import { DeliveriesPage } from '../deliveries/deliveries-page.tsx'
import { DeliveryPage } from '../deliveries/delivery-page.tsx'
import { QuarantinePage } from '../deliveries/quarantine-page.tsx'
import { DestinationPage } from '../destinations/destination-page.tsx'
import { DestinationsPage } from '../destinations/destinations-page.tsx'
import { EndpointPage } from '../endpoints/endpoint-page.tsx'
import { EndpointsPage } from '../endpoints/endpoints-page.tsx'
import { EventsPage } from '../events/events-page.tsx'
import { FailuresPage } from '../failures/failures-page.tsx'
import { HelpPage } from '../help/help-page.tsx'
import { ProviderPage } from '../help/provider-page.tsx'
import { JobsPage } from '../jobs/jobs-page.tsx'
import { KeysPage } from '../keys/keys-page.tsx'
import { OverviewPage } from '../overview/overview-page.tsx'
import { ProcessingPage } from '../processing/processing-page.tsx'
import { ReconciliationsPage } from '../reconciliations/reconciliations-page.tsx'
import { JoinPage } from '../session/join-page.tsx'
import { LoginPage } from '../session/login-page.tsx'
import { RefusedPage } from '../session/refused-page.tsx'
import { operatorQuery, useOperator, useSession } from '../session/session.tsx'
import { SubscriptionsPage } from '../subscriptions/subscriptions-page.tsx'
import { UnprocessedItemPage } from '../unprocessed/unprocessed-item-page.tsx'
import { UnprocessedPage } from '../unprocessed/unprocessed-page.tsx'
import { UsersPage } from '../users/users-page.tsx'
import { LinkButton } from '../ui/button.tsx'
import { Empty } from '../ui/notice.tsx'
import { Layout, PageHeader } from './layout.tsx'
import { getNavigation } from './navigation.ts'

/** The page of an invitation, which needs no login, or a page of operators. */
export function Pages() {
  const [location] = useLocation()
  return location === '/join' ? <JoinPage /> : <OperatorPages />
}

/** The page of the address, or the login. */
function OperatorPages() {
  const { isSignedOut } = useSession()
  // The features suspend this component; both requests run at the same time.
  usePrefetchQuery(operatorQuery)
  const features = useFeatures()
  const operator = useOperator()
  if (isSignedOut || operator === undefined) return <LoginPage />
  if (operator.refusal) return <RefusedPage error={operator.refusal} />
  const items = getNavigation(features, operator).flatMap((group) => group.items)
  const first = items[0]?.path ?? '/deliveries'
  const isSupported = (path: string) => items.some((item) => item.path === path)
  return (
    <Layout>
      <Switch>
        <Route path="/">
          <Redirect to={first} replace />
        </Route>
        <Route path="/login">
          <Redirect to={first} replace />
        </Route>
        {pages.map(
          ({ path, Page }) =>
            isSupported(path) && (
              <Route key={path} path={path}>
                <Page />
              </Route>
            ),
        )}
        {features.has('getUser', 'patchUser') && (
          <Route path="/account">
            <AccountPage />
          </Route>
        )}
        <Route path="/deliveries/:id">{({ id }) => <DeliveryPage key={id} id={id} />}</Route>
        <Route path="/destinations/:id">{({ id }) => <DestinationPage key={id} name={id} />}</Route>
        <Route path="/endpoints/:id">{({ id }) => <EndpointPage key={id} id={id} />}</Route>
        <Route path="/unprocessed/:id">{({ id }) => <UnprocessedItemPage key={id} id={id} />}</Route>
        <Route path="/help/:id">{({ id }) => <ProviderPage key={id} name={id} />}</Route>
        <Route>
          <PageHeader title="No such page" tabTitle="No such page" />
          <Empty title="The address is wrong, your role may not read the page, or the API of this host does not support it.">
            <LinkButton to={first}>Back to the start</LinkButton>
          </Empty>
        </Route>
      </Switch>
    </Layout>
  )
}

const pages = [
  { path: '/overview', Page: OverviewPage },
  { path: '/deliveries', Page: DeliveriesPage },
  { path: '/events', Page: EventsPage },
  { path: '/destinations', Page: DestinationsPage },
  { path: '/failures', Page: FailuresPage },
  { path: '/processing', Page: ProcessingPage },
  { path: '/quarantine', Page: QuarantinePage },
  { path: '/unprocessed', Page: UnprocessedPage },
  { path: '/reconciliations', Page: ReconciliationsPage },
  { path: '/jobs', Page: JobsPage },
  { path: '/endpoints', Page: EndpointsPage },
  { path: '/subscriptions', Page: SubscriptionsPage },
  { path: '/users', Page: UsersPage },
  { path: '/keys', Page: KeysPage },
  { path: '/audit', Page: AuditPage },
  { path: '/help', Page: HelpPage },
] as const
