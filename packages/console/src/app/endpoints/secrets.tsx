import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, unwrap, type Schemas } from '../api/client.ts'
import { useFeatures } from '../api/features.tsx'
import { useOperator } from '../session/session.tsx'
import { Button } from '../ui/button.tsx'
import { Confirm, DialogBox, DialogResult } from '../ui/dialog.tsx'
import { TextField } from '../ui/fields.tsx'
import { ErrorNotice } from '../ui/notice.tsx'
import { StoredSecret } from '../ui/stored-secret.tsx'
import { Id } from '../ui/text.tsx'
import { Time } from '../ui/time.tsx'
import { AwaitHandshake } from './await-handshake.tsx'
import { CopyOnce } from './copy-once.tsx'
import { ReadSecret } from './read-secret.tsx'

type Endpoint = Schemas['Endpoint']

/** The secrets of an endpoint. A rotation adds one, and later removes the old one. */
export function Secrets({ endpoint }: { readonly endpoint: Endpoint }) {
  const { id, secrets } = endpoint
  const { has } = useFeatures()
  const may = useOperator()?.may('manage') === true
  const queries = useQueryClient()
  const [isAdding, setAdding] = useState(false)
  const [isReading, setReading] = useState(false)
  const [removed, setRemoved] = useState<Endpoint['secrets'][number]>()
  const remove = useMutation({
    mutationFn: (secretId: string) =>
      unwrap(
        api.DELETE('/endpoints/{id}/secrets/{secret_id}', { params: { path: { id, secret_id: secretId } } }),
      ),
    onSuccess: async () => {
      setRemoved(undefined)
      await queries.invalidateQueries({ queryKey: ['endpoint', id] })
    },
  })
  return (
    <>
      <p className="muted">
        Deliveries verify with any of these secrets. To rotate, add a secret, set it at the service, then
        remove the old one.
      </p>
      <ul className="secrets">
        {secrets.map((secret, index) => (
          <li key={secret.id} className="secret">
            <StoredSecret secret={secret} isNewest={index === 0} />
            {may && has('readHandshakeSecret') && secret.readable && (
              <Button
                look="quiet"
                onPress={() => {
                  setReading(true)
                }}
              >
                Show once
              </Button>
            )}
            {may && has('removeEndpointSecret') && secrets.length > 1 && (
              <Button
                look="quiet"
                onPress={() => {
                  setRemoved(secret)
                }}
              >
                Remove
              </Button>
            )}
          </li>
        ))}
        {secrets.length === 0 && <AwaitHandshake endpoint={endpoint} />}
      </ul>
      {may && has('addEndpointSecret') && (
        <Button
          onPress={() => {
            setAdding(true)
          }}
        >
          Rotate: add a secret
        </Button>
      )}
      <DialogBox
        title="Add a secret"
        isOpen={isAdding}
        onClose={() => {
          setAdding(false)
        }}
      >
        <AddSecret
          id={id}
          onClose={() => {
            setAdding(false)
          }}
        />
      </DialogBox>
      <DialogBox
        title="Show the secret"
        isOpen={isReading}
        onClose={() => {
          setReading(false)
        }}
      >
        <ReadSecret
          id={id}
          onClose={() => {
            setReading(false)
          }}
        />
      </DialogBox>
      <Confirm
        title="Remove the secret"
        isOpen={removed !== undefined}
        onClose={() => {
          setRemoved(undefined)
        }}
        action="Remove"
        isDangerous
        isPending={remove.isPending}
        error={remove.error}
        onConfirm={() => {
          if (removed !== undefined) remove.mutate(removed.id)
        }}
      >
        {removed && (
          <p>
            The gateway then refuses deliveries that are signed with the{' '}
            {removed === secrets[0] ? 'newest' : 'older'} secret <Id value={removed.id} />, added{' '}
            <Time value={removed.created_at} />.
          </p>
        )}
      </Confirm>
    </>
  )
}

function AddSecret({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const queries = useQueryClient()
  const [secret, setSecret] = useState('')
  const add = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST('/endpoints/{id}/secrets', {
          params: { path: { id } },
          body: secret === '' ? {} : { secret },
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['endpoint', id] }),
  })
  if (add.data) {
    const { secret: shown } = add.data.data
    return (
      <DialogResult onClose={onClose}>
        {shown === null ? <p>The secret is added.</p> : <CopyOnce label="Secret" value={shown} isOnce />}
      </DialogResult>
    )
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        add.mutate()
      }}
    >
      <div className="dialog-body">
        <TextField
          label="Secret of the service"
          hint="Leave it empty to generate one."
          type="password"
          autoComplete="off"
          autoFocus
          value={secret}
          onChange={setSecret}
        />
        {add.isError && <ErrorNotice error={add.error} />}
      </div>
      <div className="dialog-actions">
        <Button onPress={onClose}>Cancel</Button>
        <Button type="submit" look="primary" isDisabled={add.isPending}>
          Add
        </Button>
      </div>
    </form>
  )
}
