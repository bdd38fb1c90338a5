import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { api, unwrap, type Schemas } from '../api/client.ts'
import { useFeatures } from '../api/features.tsx'
import { useFilters } from '../deliveries/use-filters.ts'
import { PageHeader } from '../layout/layout.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { formatCount } from '../ui/format.ts'
import { ErrorNotice, Loading, Notice } from '../ui/notice.tsx'
import { Untrusted } from '../ui/text.tsx'
import { Time } from '../ui/time.tsx'
import { DestinationsNotice } from './destinations-notice.tsx'
import { EndpointsCard } from './endpoints-card.tsx'
import { ProcessesCard } from './processes-card.tsx'
import { ServicesCard } from './services-card.tsx'
import { windows } from './statistics.ts'
import { TrafficCard } from './traffic-card.tsx'

const names = ['window']

/** The state of the gateway and its traffic. */
export function OverviewPage() {
  const { has } = useFeatures()
  const [{ window: chosen }, setFilters] = useFilters(names)
  const shown = windows.find((one) => one === chosen) ?? '1h'
  return (
    <>
      <PageHeader title="Overview" tabTitle="Overview" lead="Traffic and state of the gateway.">
        {has('getStatistics') && (
          <div className="segments" role="group" aria-label="Time">
            {windows.map((one) => (
              <Button
                key={one}
                look="quiet"
                aria-pressed={one === shown}
                onPress={() => {
                  setFilters({ window: one === '1h' ? '' : one })
                }}
              >
                {one}
              </Button>
            ))}
          </div>
        )}
      </PageHeader>
      {has('listDestinations') && <DestinationsNotice />}
      {has('getStatus') && <Status />}
      {has('getStatistics') && <ServicesCard window={shown} />}
      {has('listProcesses') && <ProcessesCard />}
      {has('getStatistics') && <TrafficCard window={shown} />}
      {has('getDeliveryStatistics') && <EndpointsCard />}
    </>
  )
}

function Status() {
  const query = useQuery({
    queryKey: ['status'],
    queryFn: ({ signal }) => unwrap(api.GET('/status', { signal })),
    refetchInterval: 5000,
  })
  if (query.isPending) return <Loading />
  if (query.data === undefined) return <ErrorNotice error={query.error} onRetry={query.refetch} />
  const status = query.data.data
  return (
    <>
      {status.notices.map((text) => (
        <Notice key={text} tone="warn">
          <Untrusted text={text} limit={500} />
        </Notice>
      ))}
      <Counts status={status} />
      <Card title="Dependencies" actions={<Badge state={status.status} />}>
        <ul className="dependencies">
          {status.dependencies.map(({ name, status: state, detail }) => (
            <li key={name} className="dependency">
              <strong>{name}</strong> <Badge state={state} />
              {detail !== null && (
                <span className="muted">
                  <Untrusted text={detail} limit={500} />
                </span>
              )}
            </li>
          ))}
          {status.dependencies.length === 0 && <li className="muted">The host reports no dependencies.</li>}
        </ul>
      </Card>
    </>
  )
}

function Counts({ status }: { readonly status: Schemas['Status'] }) {
  const { counts } = status
  if (counts === null) return <Notice tone="bad">The inbox is unavailable, so there are no counts.</Notice>
  return (
    <div className="counts">
      <Count
        label="Pending"
        value={counts.pending + counts.queued}
        to="/deliveries?status=pending"
        tone="busy"
      >
        {status.oldest_pending_at === null ? (
          'nothing waits'
        ) : (
          <>
            oldest <Time value={status.oldest_pending_at} isRelative />
          </>
        )}
      </Count>
      <Count label="Dead" value={counts.dead} to="/deliveries?status=dead" tone="bad">
        no attempts are left
      </Count>
      <Count label="Quarantined" value={counts.quarantined} to="/quarantine" tone="warn">
        not normalized
      </Count>
      <Count label="Dead notifications" value={counts.notifications_dead} to="/deliveries" tone="bad">
        {formatCount(counts.notifications_pending)} pending
      </Count>
      {status.consumers !== null && status.consumers.dead_letters > 0 && (
        <Count
          label="Dead letters of consumers"
          value={status.consumers.dead_letters}
          to="/processing"
          tone="bad"
        >
          {formatCount(status.consumers.pending)} pending
        </Count>
      )}
      {status.lanes !== null && status.lanes.open + status.lanes.paused > 0 && (
        <Count label="Stuck lanes" value={status.lanes.stuck} to="/processing" tone="bad">
          {formatCount(status.lanes.open)} open, {formatCount(status.lanes.paused)} paused
        </Count>
      )}
      {status.reconciliations !== null && (
        <Count label="Recovered" value={status.reconciliations.recovered} to="/reconciliations" tone="good">
          {formatCount(status.reconciliations.asked)} asked for,{' '}
          {formatCount(status.reconciliations.abandoned)} given up
        </Count>
      )}
      <Count label="Published" value={status.published ?? 0} to="/events" tone="good">
        events in total
      </Count>
    </div>
  )
}

function Count(props: {
  readonly label: string
  readonly value: number
  readonly to: string
  readonly tone: string
  readonly children: React.ReactNode
}) {
  const { label, value, to, tone, children } = props
  return (
    <Link href={to} className={`count ${value > 0 ? `count-${tone}` : ''}`}>
      <span className="count-label">{label}</span>
      {/* The API stops counting at 10,000. */}
      <strong className="count-value">
        {tone !== 'good' && value >= 10_000 ? '10,000+' : formatCount(value)}
      </strong>
      <span className="count-detail">{children}</span>
    </Link>
  )
}
