import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { api, unwrap, type Schemas } from '../api/client.ts'
import { useFeatures } from '../api/features.tsx'
import { JobProgress } from '../jobs/job-progress.tsx'
import { Button } from '../ui/button.tsx'
import { DialogBox } from '../ui/dialog.tsx'
import { Checkbox, TextField } from '../ui/fields.tsx'
import { formatCount } from '../ui/format.ts'
import { ErrorNotice, Loading } from '../ui/notice.tsx'
import { Untrusted } from '../ui/text.tsx'
import { DirectReplay } from './direct-replay.tsx'
import { toCriteria } from './criteria.ts'
import type { Filters } from './use-filters.ts'

/** A button that replays all deliveries that match filters, after a look at their number. */
export function BulkReplay({ filters, label }: { readonly filters: Filters; readonly label: string }) {
  const [isOpen, setOpen] = useState(false)
  const close = () => {
    setOpen(false)
  }
  return (
    <>
      <Button
        onPress={() => {
          setOpen(true)
        }}
      >
        {label}
      </Button>
      <DialogBox title="Replay deliveries" isOpen={isOpen} onClose={close} role="alertdialog">
        <Replay filters={filters} onClose={close} />
      </DialogBox>
    </>
  )
}

function Replay({ filters, onClose }: { readonly filters: Filters; readonly onClose: () => void }) {
  const { has } = useFeatures()
  const [mode, setMode] = useState<Mode>()
  const [isStarted, setStarted] = useState(false)
  const [typed, setTyped] = useState('')
  const count = useCount(filters)
  const needsCount = Object.keys(filters).length === 0
  const expected = String(count.data?.data.deliveries)
  const body = { ...toCriteria(filters), ...toModes(mode) } as Schemas['ReplayDeliveries']
  if (isStarted) {
    return has('createReplayJob') ? (
      <Job body={body} onClose={onClose} />
    ) : (
      <DirectReplay body={body} onClose={onClose} />
    )
  }
  return (
    <>
      <div className="dialog-body">
        <Selection filters={filters} count={count} />
        <p className="muted">
          Events that are not published are published now. A consumer skips an event that it has recorded as
          handled, and a bus an id that it knows.
        </p>
        <Checkbox
          isSelected={mode === 'reprocess'}
          onChange={(isSelected) => {
            setMode(isSelected ? 'reprocess' : undefined)
          }}
        >
          Reprocess: consumers handle the events again under their ids
        </Checkbox>
        <Checkbox
          isSelected={mode === 'as-new'}
          onChange={(isSelected) => {
            setMode(isSelected ? 'as-new' : undefined)
          }}
        >
          Replay as new: events get new ids, and consumers process them again
        </Checkbox>
        {needsCount && count.data && (
          <TextField
            label={`Type ${expected} to replay every delivery`}
            inputMode="numeric"
            autoComplete="off"
            value={typed}
            onChange={setTyped}
          />
        )}
      </div>
      <div className="dialog-actions">
        <Button onPress={onClose} autoFocus>
          Cancel
        </Button>
        <Button
          look="primary"
          isDisabled={needsCount && typed.replaceAll(/[\s,.]/g, '') !== expected}
          onPress={() => {
            setStarted(true)
          }}
        >
          Replay
        </Button>
      </div>
    </>
  )
}

/** How a replay reaches consumers that have handled the events. */
type Mode = 'as-new' | 'reprocess' | undefined

const toModes = (mode: Mode) => ({ as_new: mode === 'as-new', reprocess: mode === 'reprocess' })

/** The number of deliveries of a dry run. */
const useCount = (filters: Filters) =>
  useQuery({
    queryKey: ['dry-run', filters],
    queryFn: () =>
      unwrap(
        api.POST('/replays', {
          body: { ...toCriteria(filters), ...toModes(undefined), dry_run: true },
        }),
      ),
    staleTime: 0,
    retry: false,
  })

/** The selection of the filters, with the number of deliveries. */
function Selection({
  filters,
  count,
}: {
  readonly filters: Filters
  readonly count: ReturnType<typeof useCount>
}) {
  const chosen = Object.entries(filters)
  const counted = count.data?.data
  return (
    <>
      <p>
        {counted === undefined ? (
          count.isPending ? (
            'Counting the deliveries…'
          ) : (
            'The number of deliveries is unknown.'
          )
        ) : (
          <strong>
            {formatCount(counted.deliveries)}
            {'truncated' in counted && counted.truncated ? ' or more' : ''}{' '}
            {counted.deliveries === 1 ? 'delivery' : 'deliveries'}
          </strong>
        )}
        {chosen.length === 0 ? ': no filter is active, so this replays every stored delivery.' : ' with:'}
      </p>
      {chosen.length > 0 && (
        <ul>
          {chosen.map(([name, value]) => (
            <li key={name}>
              {name} <Untrusted text={value} limit={80} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** A replay that the server runs. It continues when the dialog closes. */
function Job({
  body,
  onClose,
}: {
  readonly body: Schemas['ReplayDeliveries']
  readonly onClose: () => void
}) {
  const queries = useQueryClient()
  const created = useQuery({
    queryKey: ['create-replay-job', body],
    queryFn: () => unwrap(api.POST('/replay-jobs', { body })),
    ...{
      staleTime: Infinity,
      gcTime: 0,
      retry: false,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    },
  })
  const id = created.data?.data.id ?? ''
  const job = useQuery({
    queryKey: ['replay-job', id],
    queryFn: ({ signal }) => unwrap(api.GET('/replay-jobs/{id}', { params: { path: { id } }, signal })),
    enabled: id !== '',
    refetchInterval: ({ state }) => (state.data?.data.status === 'running' || !state.data ? 500 : false),
  })
  const cancel = useMutation({
    mutationFn: () => unwrap(api.DELETE('/replay-jobs/{id}', { params: { path: { id } } })),
    onSettled: () => queries.invalidateQueries({ queryKey: ['replay-job', id] }),
  })
  const close = () => {
    onClose()
    void queries.invalidateQueries({ queryKey: ['deliveries'] })
  }
  const shown = job.data?.data ?? created.data?.data
  return (
    <>
      <div className="dialog-body">
        {created.isError && <ErrorNotice error={created.error} />}
        {created.isPending && <Loading label="Starting" />}
        {shown && (
          <>
            <p role="status">
              The replay is <strong>{shown.status}</strong>.
            </p>
            <JobProgress job={shown} />
            <p className="muted">
              The server continues when you close this dialog: see <Link href="/jobs">Replay jobs</Link>.
            </p>
          </>
        )}
        {cancel.isError && <ErrorNotice error={cancel.error} />}
      </div>
      <div className="dialog-actions">
        {shown?.status === 'running' && (
          <Button
            isDisabled={cancel.isPending}
            onPress={() => {
              cancel.mutate()
            }}
          >
            Cancel the replay
          </Button>
        )}
        <Button look="primary" onPress={close}>
          Close
        </Button>
      </div>
    </>
  )
}
