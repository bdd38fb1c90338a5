import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, unwrap, type Schemas } from '../api/client.ts'
import { useFeatures } from '../api/features.tsx'
import { useOperator } from '../session/session.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Confirm } from '../ui/dialog.tsx'
import { formatCount } from '../ui/format.ts'
import { Notice } from '../ui/notice.tsx'
import { Untrusted } from '../ui/text.tsx'

interface Counts {
  readonly done: number
  /** How much stays, because an attempt runs. */
  readonly busy: number
}

async function cancelEvents(endpoint: string): Promise<Counts> {
  let done = 0
  for (;;) {
    const { events, busy, more } = (await unwrap(api.POST('/cancellations', { body: { endpoint } }))).data
    done += events
    if (!more) return { done, busy }
  }
}

async function eraseDeliveries(endpoint: string): Promise<Counts> {
  let done = 0
  let busy = 0
  for (let cursor: string | null = ''; cursor !== null;) {
    const body: Schemas['EraseDeliveries'] = { endpoint, cursor }
    const { data }: { data: Schemas['Erasure'] } = await unwrap(api.POST('/erasures', { body }))
    done += data.deliveries + data.unprocessed
    busy += data.busy
    cursor = data.next
  }
  return { done, busy }
}

/** Cancels the pending events of an endpoint, and erases all that it received. */
export function EndpointEvents({ endpoint }: { readonly endpoint: Schemas['Endpoint'] }) {
  const { id, name, status } = endpoint
  const { has } = useFeatures()
  const operator = useOperator()
  const queries = useQueryClient()
  const [asked, setAsked] = useState<'cancel' | 'erase'>()
  const onSettled = () => queries.invalidateQueries()
  const onSuccess = () => {
    setAsked(undefined)
  }
  const cancel = useMutation({ mutationFn: () => cancelEvents(id), onSuccess, onSettled })
  const erase = useMutation({ mutationFn: () => eraseDeliveries(id), onSuccess, onSettled })
  const mayCancel = has('cancelEvents') && operator?.may('replay') === true
  const mayErase = has('eraseDeliveries') && operator?.may('erase') === true
  if (!mayCancel && !mayErase) return null
  const close = () => {
    setAsked(undefined)
    cancel.reset()
    erase.reset()
  }
  const label = <Untrusted text={name} limit={80} />
  return (
    <Card title="Events">
      <div className="stack">
        <div className="actions">
          {mayCancel && (
            <Button
              onPress={() => {
                setAsked('cancel')
              }}
            >
              Cancel pending…
            </Button>
          )}
          {mayErase && (
            <Button
              look="danger"
              onPress={() => {
                setAsked('erase')
              }}
            >
              Erase all…
            </Button>
          )}
        </div>
        {cancel.isSuccess && <Done what="Cancelled events" counts={cancel.data} />}
        {erase.isSuccess && <Done what="Erased deliveries" counts={erase.data} />}
      </div>
      <Confirm
        title="Cancel the pending events"
        isOpen={asked === 'cancel'}
        onClose={close}
        action="Cancel the events"
        isDangerous
        change={cancel}
      >
        <p>The pending events of {label} become dead letters. They can be replayed.</p>
      </Confirm>
      <Confirm
        title="Erase all deliveries"
        isOpen={asked === 'erase'}
        onClose={close}
        action="Erase"
        isDangerous
        change={erase}
      >
        <p>
          This cancels the pending events of {label}, and deletes the bodies, the headers, and the data and
          the subjects of the events of all its deliveries for good. Ids and names stay.
        </p>
        {status === 'active' && (
          <p>The endpoint is active: delete or disable it before, so that nothing arrives.</p>
        )}
      </Confirm>
    </Card>
  )
}

function Done({ what, counts: { done, busy } }: { readonly what: string; readonly counts: Counts }) {
  return (
    <Notice>
      {what}: {formatCount(done)}.
      {busy > 0 && ` ${formatCount(busy)} stay, because an attempt runs: repeat it later.`}
    </Notice>
  )
}
