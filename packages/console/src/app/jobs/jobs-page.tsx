import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, unwrap, type Schemas } from '../api/client.ts'
import { useFeatures } from '../api/features.tsx'
import { PageHeader } from '../layout/layout.tsx'
import { useOperator } from '../session/session.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { formatCount } from '../ui/format.ts'
import { ListFrame } from '../ui/list-frame.tsx'
import { Empty, Notice } from '../ui/notice.tsx'
import { Untrusted } from '../ui/text.tsx'
import { Time } from '../ui/time.tsx'
import { useList } from '../ui/use-list.ts'
import { JobProgress } from './job-progress.tsx'

/** Bulk replays, which the server runs and resumes after a restart. */
export function JobsPage() {
  const list = useList({
    key: ['replay-jobs'],
    load: (cursor, signal) =>
      unwrap(api.GET('/replay-jobs', { params: { query: { cursor, limit: 20 } }, signal })),
    refreshMs: 2000,
  })
  return (
    <>
      <PageHeader
        title="Replay jobs"
        tabTitle="Replay jobs"
        lead="Bulk replays. The server runs one at a time and resumes them after a restart."
      />
      <ListFrame list={list} empty={<Empty title="No bulk replay was started." />} end="These are all jobs.">
        <ul className="stack">
          {list.items.map((job) => (
            <Job key={job.id} job={job} />
          ))}
        </ul>
      </ListFrame>
    </>
  )
}

function Job({ job }: { readonly job: Schemas['ReplayJob'] }) {
  const { id, status, error } = job
  const { has } = useFeatures()
  const may = useOperator()?.may('replay') === true
  const queries = useQueryClient()
  const cancel = useMutation({
    mutationFn: () => unwrap(api.DELETE('/replay-jobs/{id}', { params: { path: { id } } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['replay-jobs'] }),
  })
  const criteria = Object.entries(job.filter)
  return (
    <li className="card item">
      <div className="item-main">
        <p>
          <Badge state={status} /> <strong>{formatCount(job.total)} deliveries</strong>
          {job.source === 'unprocessed' && ' that were ignored or refused'}
          {job.as_new && ' as new'}
          {job.reprocess && ' to reprocess'}
        </p>
        <p className="muted">
          {criteria.map(([name, value]) => (
            <span key={name} className="pair">
              {name} <Untrusted text={typeof value === 'string' ? value : JSON.stringify(value)} limit={80} />
            </span>
          ))}
        </p>
        <JobProgress job={job} />
        {error !== null && (
          <Notice tone="bad">
            <Untrusted text={error} />
          </Notice>
        )}
        {cancel.isError && <Notice tone="bad">{cancel.error.message}</Notice>}
        <p className="muted">
          Started <Time value={job.created_at} />
          {job.created_by !== null && (
            <>
              {' '}
              by <Untrusted text={job.created_by} limit={80} />
            </>
          )}
          {job.finished_at !== null && (
            <>
              , ended <Time value={job.finished_at} />
            </>
          )}
        </p>
      </div>
      {status === 'running' && may && has('cancelReplayJob') && (
        <Button
          isDisabled={cancel.isPending}
          onPress={() => {
            cancel.mutate()
          }}
        >
          Cancel
        </Button>
      )}
    </li>
  )
}
