import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Menu, MenuItem, MenuTrigger } from 'react-aria-components/Menu'
import { Popover } from 'react-aria-components/Popover'
import { api, unwrap } from '../api/client.ts'
import { useFeatures } from '../api/features.tsx'
import type { DecodedBody } from '../body/decode.ts'
import { Icon } from '../layout/icons.tsx'
import { useOperator } from '../session/session.tsx'
import { Button } from '../ui/button.tsx'
import { bindChange, Confirm } from '../ui/dialog.tsx'
import { SelectField } from '../ui/fields.tsx'
import { Notice } from '../ui/notice.tsx'
import { toCurl, toSallyportSend } from './commands.ts'
import type { DeliveryDetail } from './delivery-page.tsx'

type Asked = 'as-new' | 'reprocess' | 'destination' | 'erase' | undefined

/** The actions for a delivery. */
export function DeliveryActions({
  delivery,
  body,
}: {
  readonly delivery: DeliveryDetail
  readonly body: DecodedBody | undefined
}) {
  const { id, status } = delivery
  const { has } = useFeatures()
  const operator = useOperator()
  const queries = useQueryClient()
  const [asked, setAsked] = useState<Asked>()
  const [message, setMessage] = useState('')
  const destinations = [...new Set(delivery.events.flatMap(({ destination }) => destination ?? []))]
  const [destination, setDestination] = useState('')
  const chosen = destinations.includes(destination) ? destination : destinations[0]
  const refresh = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: ['delivery', id] }),
      queries.invalidateQueries({ queryKey: ['deliveries'] }),
    ])
  const replay = useMutation({
    mutationFn: (mode: 'as-new' | 'reprocess' | 'destination' | undefined) =>
      unwrap(
        api.POST('/deliveries/{id}/replays', {
          params: { path: { id } },
          body: {
            ...{ as_new: mode === 'as-new', reprocess: mode === 'reprocess' },
            ...(mode === 'destination' && { destination: chosen }),
          },
        }),
      ),
    onSuccess: async ({ data }, mode) => {
      setAsked(undefined)
      const due = `${data.events.length} ${data.events.length === 1 ? 'event is' : 'events are'} due`
      const isSkipped = data.handled > 0 && mode === undefined
      const count = isSkipped ? `${due}, and consumers skip ${data.handled} that they have handled` : due
      setMessage(
        data.outcome === 'replayed'
          ? `Replayed: ${count}.`
          : data.outcome === 'quarantined'
            ? `Still quarantined: ${data.reason ?? ''}`
            : 'Unchanged: no event has to be published again.',
      )
      await refresh()
    },
  })
  const erase = useMutation({
    mutationFn: () => unwrap(api.DELETE('/deliveries/{id}/body', { params: { path: { id } } })),
    onSuccess: async () => {
      setAsked(undefined)
      setMessage('Erased.')
      await refresh()
    },
  })
  const retry = useRetry(id, setMessage)
  const close = () => {
    setAsked(undefined)
    replay.reset()
    erase.reset()
  }
  const mayReplay = operator?.may('replay') === true
  const canReplay = has('replayDelivery') && mayReplay && delivery.body_state !== 'erased'
  const isWaiting = delivery.events.some(({ state, due_at }) => state === 'pending' && due_at !== null)
  const error = asked === undefined ? (replay.error ?? retry.error) : undefined
  const send = toSallyportSend(delivery, body, location.origin)
  const copy = (text: string, name: string) => {
    navigator.clipboard.writeText(text).then(
      () => {
        setMessage(`Copied ${name}.`)
      },
      () => {
        setMessage('The browser refused to copy.')
      },
    )
  }
  return (
    <>
      <div className="actions">
        {has('retryDelivery') && mayReplay && isWaiting && (
          <Button
            look="primary"
            isDisabled={retry.isPending}
            onPress={() => {
              retry.mutate()
            }}
          >
            Retry now
          </Button>
        )}
        {canReplay && (
          <Button
            look={isWaiting ? 'secondary' : 'primary'}
            isDisabled={replay.isPending}
            onPress={() => {
              replay.mutate(undefined)
            }}
          >
            {status === 'quarantined' ? 'Normalize again' : 'Replay'}
          </Button>
        )}
        <MenuTrigger>
          <Button aria-label="More actions">
            <Icon name="more" />
          </Button>
          <Popover className="popover" placement="bottom end">
            <Menu
              className="listbox"
              onAction={(key) => {
                if (key === 'as-new' || key === 'reprocess' || key === 'destination' || key === 'erase')
                  setAsked(key)
                if (key === 'curl') copy(toCurl(delivery, body, location.origin), 'a curl command')
                if (key === 'send' && send !== undefined) copy(send, 'a sallyport command')
              }}
            >
              {canReplay && status !== 'quarantined' ? (
                <MenuItem id="reprocess" className="option">
                  Reprocess…
                </MenuItem>
              ) : null}
              {canReplay && status !== 'quarantined' ? (
                <MenuItem id="as-new" className="option">
                  Replay as new…
                </MenuItem>
              ) : null}
              {canReplay && destinations.length > 0 ? (
                <MenuItem id="destination" className="option">
                  Replay to a destination…
                </MenuItem>
              ) : null}
              <MenuItem id="curl" className="option">
                Copy as curl
              </MenuItem>
              {send !== undefined ? (
                <MenuItem id="send" className="option">
                  Copy as sallyport send
                </MenuItem>
              ) : null}
              {has('eraseDelivery') && operator?.may('erase') && delivery.body_state !== 'erased' ? (
                <MenuItem id="erase" className="option option-danger">
                  Erase…
                </MenuItem>
              ) : null}
            </Menu>
          </Popover>
        </MenuTrigger>
      </div>
      {message !== '' && error == null && <Notice>{message}</Notice>}
      {error != null && <Notice tone="bad">{error.message}</Notice>}
      <Confirm
        title="Replay as new"
        isOpen={asked === 'as-new'}
        onClose={close}
        action="Replay as new"
        change={bindChange(replay, 'as-new')}
      >
        <p>The events get new ids, so consumers process them again, also if they processed them before.</p>
      </Confirm>
      <Confirm
        title="Reprocess"
        isOpen={asked === 'reprocess'}
        onClose={close}
        action="Reprocess"
        change={bindChange(replay, 'reprocess')}
      >
        <p>
          Consumers handle the events again under their ids, also if they have recorded them as handled. A bus
          that still knows an id stores nothing.
        </p>
      </Confirm>
      <Confirm
        title="Replay to a destination"
        isOpen={asked === 'destination'}
        onClose={close}
        action="Replay"
        change={bindChange(replay, 'destination')}
      >
        <SelectField
          label="Destination"
          choices={destinations.map((id) => ({ id, label: id }))}
          value={chosen ?? ''}
          onChange={setDestination}
        />
        <p>The destination receives the events again, under their ids. Nothing else does.</p>
      </Confirm>
      <Confirm
        title="Erase the content"
        isOpen={asked === 'erase'}
        onClose={close}
        action="Erase"
        isDangerous
        change={erase}
      >
        <p>
          This deletes the body, the headers, the query, and the data and the subjects of the events for good.
          Ids and names stay. Copies on a bus, in logs and in backups stay, too.
        </p>
      </Confirm>
    </>
  )
}

function useRetry(id: string, onMessage: (message: string) => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => unwrap(api.POST('/deliveries/{id}/retries', { params: { path: { id } } })),
    onSuccess: async () => {
      onMessage('The events are due now.')
      await queries.invalidateQueries({ queryKey: ['delivery', id] })
    },
  })
}
