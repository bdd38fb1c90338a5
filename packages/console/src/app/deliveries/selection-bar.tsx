import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { api, unwrap } from '../api/client.ts'
import { ApiError } from '../api/errors.ts'
import { useFeatures } from '../api/features.tsx'
import { useOperator } from '../session/session.tsx'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'

interface Progress {
  readonly total: number
  readonly done: number
  readonly failed: number
  readonly isRunning: boolean
}

/** The actions for selected deliveries. Requests run one after the other and can be stopped. */
export function SelectionBar({
  selected,
  onClear,
}: {
  readonly selected: ReadonlySet<string>
  readonly onClear: () => void
}) {
  const { has } = useFeatures()
  const may = useOperator()?.may('replay') === true
  const queries = useQueryClient()
  const [progress, setProgress] = useState<Progress>()
  const stop = useRef(new AbortController())
  const run = useMutation({
    mutationFn: async (action: (id: string) => Promise<unknown>) => {
      const ids = [...selected]
      let [done, failed] = [0, 0]
      stop.current = new AbortController()
      const { signal } = stop.current
      for (const id of ids) {
        if (signal.aborted) break
        try {
          await action(id)
        } catch (error) {
          if (error instanceof ApiError && [401, 403, 429].includes(error.status)) throw error
          failed += 1
        }
        done += 1
        setProgress({ total: ids.length, done, failed, isRunning: true })
      }
      setProgress({ total: ids.length, done, failed, isRunning: false })
    },
    onError: () => {
      setProgress((current) => current && { ...current, isRunning: false })
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['deliveries'] }),
  })
  if (selected.size === 0 && progress === undefined) return null
  return (
    <div className="selection" role="group" aria-label="Selected deliveries">
      {progress === undefined ? (
        <span>{selected.size} selected</span>
      ) : (
        <Notice tone={progress.failed > 0 ? 'warn' : 'info'}>
          {progress.done} of {progress.total} done{progress.failed > 0 && `, ${progress.failed} failed`}
        </Notice>
      )}
      {run.isError && <span className="text-bad">{run.error.message}</span>}
      {progress?.isRunning ? (
        <Button
          onPress={() => {
            stop.current.abort()
          }}
        >
          Stop
        </Button>
      ) : (
        <>
          {selected.size > 0 && may && has('replayDelivery') && (
            <Button
              look="primary"
              onPress={() => {
                run.mutate(replay)
              }}
            >
              Replay selected
            </Button>
          )}
          <Button
            look="quiet"
            onPress={() => {
              setProgress(undefined)
              onClear()
            }}
          >
            Clear
          </Button>
        </>
      )}
    </div>
  )
}

const replay = (id: string) =>
  unwrap(api.POST('/deliveries/{id}/replays', { params: { path: { id } }, body: { as_new: false } }))
