import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { api, unwrap } from '../api/client.ts'
import { Card } from '../ui/card.tsx'
import { formatCount } from '../ui/format.ts'
import { ErrorNotice, Loading } from '../ui/notice.tsx'
import { Untrusted } from '../ui/text.tsx'
import { Time } from '../ui/time.tsx'

/** The endpoints with most of the newest 10,000 deliveries. */
export function EndpointsCard() {
  const query = useQuery({
    queryKey: ['statistics', 'endpoints'],
    queryFn: ({ signal }) => unwrap(api.GET('/statistics/endpoints', { signal })),
    refetchInterval: 10_000,
  })
  if (query.isPending) return <Loading />
  if (query.data === undefined) return <ErrorNotice error={query.error} onRetry={query.refetch} />
  const { endpoints } = query.data.data
  if (endpoints.length === 0) return null
  return (
    <Card title="Busiest endpoints">
      <div className="table-scroll" role="region" aria-label="Busiest endpoints" tabIndex={0}>
        <table className="table">
          <caption className="visually-hidden">Endpoints with most of the newest 10,000 deliveries</caption>
          <thead>
            <tr>
              <th scope="col">Endpoint</th>
              <th scope="col">Provider</th>
              <th scope="col">Last delivery</th>
              <th scope="col" className="cell-number">
                Deliveries
              </th>
            </tr>
          </thead>
          <tbody>
            {endpoints.map(({ provider, endpoint, endpoint_name, deliveries, last_received_at }) => (
              <tr key={endpoint}>
                <td>
                  <Link href={`/deliveries?endpoint=${encodeURIComponent(endpoint)}`}>
                    <Untrusted text={endpoint_name ?? endpoint} limit={64} />
                  </Link>
                </td>
                <td>
                  <Untrusted text={provider} limit={80} />
                </td>
                <td>
                  <Time value={last_received_at} isRelative />
                </td>
                <td className="cell-number">{formatCount(deliveries)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  )
}
