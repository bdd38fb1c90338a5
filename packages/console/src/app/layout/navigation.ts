import type { Features } from '../api/features.tsx'
import type { Operator } from '../session/session.tsx'
import type { IconName } from './icons.tsx'

interface NavigationItem {
  readonly path: string
  readonly label: string
  readonly icon: IconName
  /** One of these operations is enough to show the page. */
  readonly needs: readonly string[]
  /** @default 'read' */
  readonly permission?: 'read' | 'manage'
}

/** The pages, in groups. */
const groups: readonly { readonly label: string; readonly items: readonly NavigationItem[] }[] = [
  {
    label: 'Traffic',
    items: [
      { path: '/overview', label: 'Overview', icon: 'overview', needs: ['getStatistics', 'getStatus'] },
      { path: '/deliveries', label: 'Deliveries', icon: 'deliveries', needs: ['listDeliveries'] },
      { path: '/events', label: 'Events', icon: 'events', needs: ['listEvents'] },
      {
        path: '/destinations',
        label: 'Destinations',
        icon: 'destinations',
        needs: ['listDestinations'],
      },
    ],
  },
  {
    label: 'Problems',
    items: [
      { path: '/failures', label: 'Failures', icon: 'failures', needs: ['listFailures'] },
      {
        path: '/processing',
        label: 'Processing',
        icon: 'processing',
        needs: ['listLanes', 'listConsumers'],
      },
      { path: '/quarantine', label: 'Quarantine', icon: 'quarantine', needs: ['listDeliveries'] },
      {
        path: '/unprocessed',
        label: 'Ignored and refused',
        icon: 'unprocessed',
        needs: ['listUnprocessedDeliveries'],
      },
      {
        path: '/reconciliations',
        label: 'Reconciliation',
        icon: 'reconciliations',
        needs: ['listReconciliations'],
      },
      { path: '/jobs', label: 'Replay jobs', icon: 'jobs', needs: ['listReplayJobs'] },
    ],
  },
  {
    label: 'Settings',
    items: [
      { path: '/endpoints', label: 'Endpoints', icon: 'endpoints', needs: ['listEndpoints'] },
      {
        path: '/subscriptions',
        label: 'Subscriptions',
        icon: 'subscriptions',
        needs: ['listSubscriptions'],
      },
      { path: '/users', label: 'Users', icon: 'users', needs: ['listUsers'], permission: 'manage' },
      { path: '/keys', label: 'API keys', icon: 'keys', needs: ['listKeys'], permission: 'manage' },
      { path: '/audit', label: 'Audit log', icon: 'audit', needs: ['listAudit'], permission: 'manage' },
      { path: '/help', label: 'Service setup', icon: 'help', needs: ['listProviders'] },
    ],
  },
]

/** Returns the pages that the API supports and the operator may read, in groups. */
export function getNavigation({ has }: Features, operator: Operator | undefined) {
  const isShown = ({ needs, permission = 'read' }: NavigationItem) =>
    operator?.may(permission) === true && needs.some((id) => has(id))
  return groups
    .map(({ label, items }) => ({ label, items: items.filter(isShown) }))
    .filter(({ items }) => items.length > 0)
}
