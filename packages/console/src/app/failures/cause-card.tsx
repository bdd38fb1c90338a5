import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from 'wouter'
import { api, unwrap, type Schemas } from '../api/client.ts'
import { useFeatures } from '../api/features.tsx'
import { BulkReplay } from '../deliveries/bulk-replay.tsx'
import type { Filters } from '../deliveries/use-filters.ts'
import { useOperator } from '../session/session.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { EndpointName } from '../ui/endpoint-name.tsx'
import { formatCount } from '../ui/format.ts'
import { ErrorNotice } from '../ui/notice.tsx'
import { ShowMore } from '../ui/show-more.tsx'
import { Untrusted } from '../ui/text.tsx'
import { Time } from '../ui/time.tsx'
import type { Cause } from './causes.ts'

type Failure = Schemas['Failure']

const statuses = ['dead', 'pending', 'queued'] as const
const maxProviders = 5

/** One cause of failures: its events by status, what repairs them, and the kinds that it concerns. */
export function CauseCard({ cause, filters }: { readonly cause: Cause; readonly filters: Filters }) {
  const { error, groups } = cause
  const present = statuses.filter((status) => cause.events[status] !== undefined)
  const providers = [...new Set(groups.map(({ provider }) => provider))]
  const kinds = new Set(groups.map(({ provider, kind }) => `${provider}/${kind}`)).size
  const more = providers.length - maxProviders
  const toCriteria = (status: string): Filters => ({ ...filters, status, ...(error !== null && { error }) })
  return (
    <li className="card item">
      <div className="item-main">
        <p>
          <strong>
            <Untrusted text={error ?? 'unknown error'} limit={200} />
          </strong>
        </p>
        <p className="actions">
          {present.map((status) => (
            <Link key={status} href={toAddress(toCriteria(status))} className="state-link">
              <Badge state={status} /> {formatCount(cause.events[status] ?? 0)}
            </Link>
          ))}
          <span>
            of <Untrusted text={providers.slice(0, maxProviders).join(', ')} limit={200} />
            {more > 0 && ` and ${formatCount(more)} more`}
          </span>
        </p>
        <p className="muted">
          First received <Time value={cause.firstReceivedAt} />, last{' '}
          <Time value={cause.lastReceivedAt} isRelative />,{' '}
          <Link href={`/deliveries/${cause.newestDelivery}`}>newest delivery</Link>
        </p>
      </div>
      {/* Without an error, the criteria would select more than this cause. */}
      {error !== null && (
        <div className="actions">
          {present.map((status) => (
            <CauseAction key={status} status={status} criteria={toCriteria(status)} />
          ))}
        </div>
      )}
      <details className="item-more">
        <summary>
          {formatCount(kinds)} {kinds === 1 ? 'kind' : 'kinds'}
        </summary>
        <ShowMore items={groups} step={20}>
          {(shown) => (
            <ul className="causes">
              {shown.map((group) => (
                <KindRow
                  key={`${group.status} ${group.provider}/${group.kind}`}
                  group={group}
                  filters={filters}
                />
              ))}
            </ul>
          )}
        </ShowMore>
      </details>
    </li>
  )
}

const toAddress = (criteria: Filters): string => `/deliveries?${new URLSearchParams(criteria).toString()}`

/** The events of one kind, with a link to their deliveries. */
function KindRow({ group, filters }: { readonly group: Failure; readonly filters: Filters }) {
  const { status, provider, kind, error, endpoints } = group
  const criteria = { ...filters, status, provider, kind, ...(error !== null && { error }) }
  return (
    <li>
      <Badge state={status} />{' '}
      <Link href={toAddress(criteria)} className="row-link">
        <Untrusted text={`${provider}/${kind}`} limit={120} />
      </Link>{' '}
      {formatCount(group.events)}
      {group.endpoint !== null && (
        <span className="row-detail">
          <EndpointName of={group} />
          {endpoints > 1 && ` and ${formatCount(endpoints - 1)} more`}
        </span>
      )}
    </li>
  )
}

/** The action that publishes the events of a cause: a retry of waiting ones, otherwise a replay. */
function CauseAction({
  status,
  criteria,
}: {
  readonly status: Failure['status']
  readonly criteria: Filters
}) {
  const { has } = useFeatures()
  const may = useOperator()?.may('replay') === true
  const queries = useQueryClient()
  const retry = useMutation({
    mutationFn: () => unwrap(api.POST('/retries', { body: criteria })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['failures'] }),
  })
  if (!may) return null
  if (status !== 'pending')
    return has('replayDeliveries') && <BulkReplay filters={criteria} label={`Replay ${status}`} />
  if (!has('retryEvents')) return null
  return (
    <>
      <Button
        isDisabled={retry.isPending}
        onPress={() => {
          retry.mutate()
        }}
      >
        Retry pending now
      </Button>
      {retry.isError && <ErrorNotice error={retry.error} />}
    </>
  )
}
