import type { Features } from '../api/features.tsx'
import type { IconName } from './icons.tsx'

interface NavigationItem {
  readonly path: string
  readonly label: string
  readonly icon: IconName
  /** One of these operations is enough to show the page. */
  readonly needs: readonly string[]
}

/** The pages, in groups. */
const groups: readonly { readonly label: string; readonly items: readonly NavigationItem[] }[] = [
  {
    label: 'Traffic',
    items: [
      { path: '/overview', label: 'Overview', icon: 'overview', needs: ['getStatistics', 'getStatus'] },
      { path: '/deliveries', label: 'Deliveries', icon: 'deliveries', needs: ['listDeliveries'] },
      { path: '/events', label: 'Events', icon: 'events', needs: ['listEvents'] },
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
      { path: '/jobs', label: 'Replay jobs', icon: 'jobs', needs: ['listReplayJobs'] },
    ],
  },
  {
    label: 'Settings',
    items: [
      { path: '/endpoints', label: 'Endpoints', icon: 'endpoints', needs: ['listEndpoints'] },
      { path: '/keys', label: 'API keys', icon: 'keys', needs: ['listKeys'] },
      { path: '/audit', label: 'Audit log', icon: 'audit', needs: ['listAudit'] },
      { path: '/help', label: 'Service setup', icon: 'help', needs: ['listProviders'] },
    ],
  },
]

/** Returns the pages that the API supports, in groups. */
export function getNavigation({ has }: Features) {
  return groups
    .map(({ label, items }) => ({ label, items: items.filter(({ needs }) => needs.some((id) => has(id))) }))
    .filter(({ items }) => items.length > 0)
}
