import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, unwrap, type Schemas } from '../api/client.ts'
import { useFeatures } from '../api/features.tsx'
import { PageHeader } from '../layout/layout.tsx'
import { useOperator } from '../session/session.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { formatCount } from '../ui/format.ts'
import { Empty, ErrorNotice, Loading } from '../ui/notice.tsx'
import { actionsColumn, numberColumn, Table } from '../ui/table.tsx'
import { Id } from '../ui/text.tsx'
import { Time } from '../ui/time.tsx'
import { RequestRun } from './request-run.tsx'

/** The sources of what services could not deliver, with their last runs. */
export function ReconciliationsPage() {
  const query = useQuery({
    queryKey: ['reconciliations'],
    queryFn: ({ signal }) => unwrap(api.GET('/reconciliations', { signal })),
    refetchInterval: 5000,
  })
  const sources = query.data?.data.reconciliations ?? []
  return (
    <>
      <PageHeader
        title="Reconciliation"
        tabTitle="Reconciliation"
        lead="What services could not deliver. Runs compare each source with the server, and recover what is missing."
      />
      {query.isPending && <Loading />}
      {query.isError && <ErrorNotice error={query.error} onRetry={query.refetch} />}
      {query.isSuccess && sources.length === 0 && <Empty title="There is no source." />}
      {sources.length > 0 && (
        <Table
          caption="Sources by name"
          columns={[
            'Source',
            'State',
            'Compared until',
            numberColumn('Recovered'),
            'Last run',
            'Next run',
            actionsColumn,
          ]}
        >
          {sources.map((source) => (
            <Row key={source.name} source={source} />
          ))}
        </Table>
      )}
    </>
  )
}

const modes = { redelivery: 'the service sends again', feed: 'its events are recorded' } as const

function Row({ source }: { readonly source: Schemas['Reconciliation'] }) {
  const { name, state, error, checked_until: until, asked, abandoned } = source
  const { has } = useFeatures()
  const may = useOperator()?.may('replay') === true
  const [isAsking, setAsking] = useState(false)
  return (
    <tr>
      <td className="cell-main">
        <strong>{name}</strong>
        <span className="row-detail">
          {source.provider}: {modes[source.mode]}
        </span>
      </td>
      <td className="cell-problem">
        <Badge state={state} />
        {error !== null && (
          <span className="row-detail">
            {error}
            {source.failing_since !== null && (
              <>
                {' since '}
                <Time value={source.failing_since} />
              </>
            )}
          </span>
        )}
      </td>
      <td className="cell-time" data-label="Compared until">
        {until === null ? <span className="muted">not yet</span> : <Time value={until} />}
      </td>
      <td className="cell-number" data-label="Recovered">
        {formatCount(source.recovered)}
        {asked > 0 && <span className="row-detail">{formatCount(asked)} asked for</span>}
        {abandoned > 0 && <span className="row-detail">{formatCount(abandoned)} in vain</span>}
      </td>
      <td data-label="Last run">
        <LastRun run={source.last_run} />
      </td>
      <td className="cell-time" data-label="Next run">
        <Time value={source.next_run_at} isRelative />
      </td>
      <td className="cell-number">
        {may && has('requestReconciliationRun') && (
          <>
            <Button
              look="quiet"
              aria-label={`Run…: ${name}`}
              onPress={() => {
                setAsking(true)
              }}
            >
              Run…
            </Button>
            <RequestRun
              name={name}
              isOpen={isAsking}
              onClose={() => {
                setAsking(false)
              }}
            />
          </>
        )}
      </td>
    </tr>
  )
}

function LastRun({ run }: { readonly run: Schemas['ReconciliationRun'] | null }) {
  if (run === null) return <span className="muted">none</span>
  const { missed, recovered, ids, started_at: startedAt, dry_run: isDry } = run
  return (
    <>
      {isDry && 'Dry run, '}
      {formatCount(missed)} missed{recovered > 0 && `, ${formatCount(recovered)} recorded`}
      <span className="row-detail">
        <Time value={startedAt} isRelative />
      </span>
      {ids.length > 0 && (
        <details>
          <summary className="muted">Ids</summary>
          <ul className="ids">
            {ids.map((id) => (
              <li key={id}>
                <Id value={id} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}
