import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { useDeliveryCounts, useProviders } from '../api/delivery-counts.ts'
import { FirstDelivery } from '../deliveries/first-delivery.tsx'
import { Badge } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'
import { formatDuration } from '../ui/format.ts'
import { ErrorNotice, Loading } from '../ui/notice.tsx'
import { ShowMore } from '../ui/show-more.tsx'
import { numberColumn, Table } from '../ui/table.tsx'
import { Untrusted } from '../ui/text.tsx'
import { Time } from '../ui/time.tsx'
import { useNow } from '../ui/use-now.ts'
import { formatRate, formatShare, listServices, type ServiceRow } from './services.ts'
import { statisticsQuery, type Window } from './statistics.ts'

/** A row per service, which leads to its deliveries. */
export function ServicesCard({ window }: { readonly window: Window }) {
  const now = useNow()
  const statistics = useQuery(statisticsQuery(window))
  const counts = useDeliveryCounts('provider', { refreshMs: 10_000 })
  const providers = useProviders()
  if (statistics.isPending || counts.isLoading || providers.isLoading) return <Loading />
  if (statistics.data === undefined)
    return <ErrorNotice error={statistics.error} onRetry={statistics.refetch} />
  const { series, from, to } = statistics.data.data
  const services = listServices({
    registered: providers.data?.data.filter((one) => one.registered).map(({ name }) => name) ?? [],
    ...{ series, counts: counts.data?.data.groups ?? [], now },
  })
  const windowSeconds = (Date.parse(to) - Date.parse(from)) / 1000
  if (services.length === 0) return null
  const isNew = services.every(
    ({ lastReceivedAt, requests }) => lastReceivedAt === undefined && requests === 0,
  )
  return (
    <>
      {isNew && <FirstDelivery />}
      <Card title="Services">
        <ShowMore items={services} step={20}>
          {(shown) => (
            <Table
              caption="Services, the busiest first"
              columns={[
                'Service',
                'Last delivery',
                numberColumn('Rate'),
                numberColumn('Success'),
                numberColumn(
                  <abbr title="The median time from the receipt to the publication">Latency</abbr>,
                ),
              ]}
            >
              {shown.map((service) => (
                <Row key={service.provider} service={service} windowSeconds={windowSeconds} />
              ))}
            </Table>
          )}
        </ShowMore>
      </Card>
    </>
  )
}

function Row({ service, windowSeconds }: { readonly service: ServiceRow; readonly windowSeconds: number }) {
  const { provider, lastReceivedAt, requests, success, latencyMs, isSilent } = service
  const tone = success === undefined || success >= 0.99 ? '' : success >= 0.5 ? 'text-warn' : 'text-bad'
  return (
    <tr>
      <td className="cell-main">
        <Link href={`/deliveries?provider=${encodeURIComponent(provider)}`} className="row-link">
          <Untrusted text={provider} limit={80} />
        </Link>
      </td>
      <td className="cell-last">
        {lastReceivedAt === undefined ? (
          <span className="muted">none yet</span>
        ) : (
          <Time value={lastReceivedAt} isRelative />
        )}{' '}
        {isSilent && <Badge state="silent" tone="warn" />}
      </td>
      <td className="cell-number" data-label="Rate">
        {formatRate(requests, windowSeconds)}
      </td>
      <td className={`cell-number ${tone}`} data-label="Success">
        {success === undefined ? '–' : formatShare(success)}
      </td>
      <td className="cell-number" data-label="Latency">
        {latencyMs === undefined ? '–' : formatDuration(latencyMs)}
      </td>
    </tr>
  )
}
