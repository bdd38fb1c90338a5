import { Link } from 'wouter'
import { useDeliveryCounts } from '../api/delivery-counts.ts'
import { Card } from '../ui/card.tsx'
import { formatCount } from '../ui/format.ts'
import { ErrorNotice, Loading } from '../ui/notice.tsx'
import { numberColumn, Table } from '../ui/table.tsx'
import { Untrusted } from '../ui/text.tsx'
import { Time } from '../ui/time.tsx'

/** The endpoints with most deliveries of the newest 10,000 events. */
export function EndpointsCard() {
  const query = useDeliveryCounts('endpoint', { limit: 20, refreshMs: 10_000 })
  if (query.isPending) return <Loading />
  if (query.data === undefined) return <ErrorNotice error={query.error} onRetry={query.refetch} />
  const { groups } = query.data.data
  if (groups.length === 0) return null
  return (
    <Card title="Busiest endpoints">
      <Table
        caption="Endpoints with most deliveries of the newest 10,000 events"
        columns={['Endpoint', 'Provider', 'Last delivery', numberColumn('Deliveries')]}
      >
        {groups.map(({ provider, endpoint, endpoint_name: name, deliveries, last_received_at: last }) => (
          <tr key={endpoint}>
            <td className="cell-main">
              <Link href={`/deliveries?endpoint=${encodeURIComponent(endpoint ?? '')}`} className="row-link">
                <Untrusted text={name ?? endpoint ?? ''} limit={64} />
              </Link>
            </td>
            <td>
              <Untrusted text={provider} limit={80} />
            </td>
            <td>
              <Time value={last} isRelative />
            </td>
            <td className="cell-number" data-label="Deliveries">
              {formatCount(deliveries)}
            </td>
          </tr>
        ))}
      </Table>
    </Card>
  )
}
