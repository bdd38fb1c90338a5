import { useState } from 'react'
import type { Schemas } from '../api/client.ts'
import { useFeatures } from '../api/features.tsx'
import { useOperator } from '../session/session.tsx'
import { Button } from '../ui/button.tsx'
import { Confirm, type Change } from '../ui/dialog.tsx'
import { formatCount } from '../ui/format.ts'
import { ErrorNotice } from '../ui/notice.tsx'
import { Id, Untrusted } from '../ui/text.tsx'
import { useLaneChanges } from './use-lane-changes.ts'

/** The actions for a lane. */
export function LaneActions({ lane }: { readonly lane: Schemas['Lane'] }) {
  const { id, name, state, first, events } = lane
  const { has } = useFeatures()
  const may = useOperator()?.may('replay') === true
  const change = useLaneChanges(id, first?.event_id)
  const [asked, setAsked] = useState<'skip' | 'cancel'>()
  if (!may || !has('pauseLane')) return null
  const close = () => {
    setAsked(undefined)
    change.reset()
  }
  const confirm = (one: 'skip' | 'cancel'): Change => ({
    ...{ isPending: change.isPending, error: change.error },
    mutate() {
      change.mutate(one, { onSuccess: close })
    },
  })
  const label = <Untrusted text={lane.endpoint_name ?? name} limit={80} />
  return (
    <>
      <div className="actions">
        {first !== null && (
          <>
            {state === 'stuck' && (
              <Button
                look="primary"
                isDisabled={change.isPending}
                onPress={() => {
                  change.mutate('retry')
                }}
              >
                Retry now
              </Button>
            )}
            <Button
              onPress={() => {
                setAsked('skip')
              }}
            >
              Skip event…
            </Button>
          </>
        )}
        <Button
          look={state === 'paused' ? 'primary' : 'secondary'}
          isDisabled={change.isPending}
          onPress={() => {
            change.mutate(state === 'paused' ? 'resume' : 'pause')
          }}
        >
          {state === 'paused' ? 'Resume' : 'Pause'}
        </Button>
        {first !== null && (
          <Button
            look="danger"
            onPress={() => {
              setAsked('cancel')
            }}
          >
            Cancel events…
          </Button>
        )}
      </div>
      {asked === undefined && change.isError && <ErrorNotice error={change.error} />}
      <Confirm
        title="Skip the first event"
        isOpen={asked === 'skip'}
        onClose={close}
        action="Skip"
        change={confirm('skip')}
      >
        <p>
          The event {first !== null && <Id value={first.event_id} />} of {label} becomes a dead letter, and
          the lane goes on with the next one. The event can be replayed.
        </p>
      </Confirm>
      <Confirm
        title="Cancel the events"
        isOpen={asked === 'cancel'}
        onClose={close}
        action="Cancel the events"
        isDangerous
        change={confirm('cancel')}
      >
        <p>
          {formatEvents(events)} of {label} and all that arrive until then become dead letters, without a
          further attempt. They can be replayed.
        </p>
      </Confirm>
    </>
  )
}

/** Formats a number of events of a lane, whose count stops at 1,000. */
export const formatEvents = (events: number): string =>
  `${formatCount(events)}${events >= 1000 ? ' or more' : ''} ${events === 1 ? 'event' : 'events'}`
