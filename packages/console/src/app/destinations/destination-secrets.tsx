import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, unwrap, type Schemas } from '../api/client.ts'
import { useFeatures } from '../api/features.tsx'
import { CopyOnce } from '../endpoints/copy-once.tsx'
import { Button } from '../ui/button.tsx'
import { Confirm, DialogBox, DialogResult } from '../ui/dialog.tsx'
import { StoredSecret } from '../ui/stored-secret.tsx'
import { Id } from '../ui/text.tsx'
import { Time } from '../ui/time.tsx'

type Managed = Schemas['ManagedDestination']

/** The secrets of a destination. A rotation adds one, and later removes the old one. */
export function DestinationSecrets({ destination }: { readonly destination: Managed }) {
  const { name, secrets } = destination
  const { has } = useFeatures()
  const queries = useQueryClient()
  const [isAdding, setAdding] = useState(false)
  const [removed, setRemoved] = useState<Managed['secrets'][number]>()
  const onSettled = () => queries.invalidateQueries({ queryKey: ['destination', name] })
  const add = useMutation({
    mutationFn: () =>
      unwrap(api.POST('/destinations/{name}/secrets', { params: { path: { name } }, body: {} })),
    onSettled,
  })
  const remove = useMutation({
    mutationFn: (secret_id: string) =>
      unwrap(
        api.DELETE('/destinations/{name}/secrets/{secret_id}', { params: { path: { name, secret_id } } }),
      ),
    onSuccess: () => {
      setRemoved(undefined)
    },
    onSettled,
  })
  const closeAdding = () => {
    setAdding(false)
    add.reset()
  }
  return (
    <>
      <p className="muted">To rotate, add a secret, set it at the service, then remove the old one.</p>
      <ul className="secrets">
        {secrets.map((secret, index) => (
          <li key={secret.id} className="secret">
            <StoredSecret secret={secret} isNewest={index === 0} />
            {has('removeDestinationSecret') && secrets.length > 1 && (
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
      </ul>
      {has('addDestinationSecret') && (
        <Button
          onPress={() => {
            setAdding(true)
          }}
        >
          Rotate: add a secret
        </Button>
      )}
      {add.data ? (
        <DialogBox title="The secret is added" isOpen={isAdding} onClose={closeAdding} role="alertdialog">
          <DialogResult onClose={closeAdding}>
            <CopyOnce label="Secret" value={add.data.data.secret ?? ''} isOnce />
          </DialogResult>
        </DialogBox>
      ) : (
        <Confirm
          title="Add a secret"
          isOpen={isAdding}
          onClose={closeAdding}
          action="Add"
          isPending={add.isPending}
          error={add.error}
          onConfirm={() => {
            add.mutate()
          }}
        >
          <p>The server generates it, and shows it once. Requests have the signatures of all secrets.</p>
        </Confirm>
      )}
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
            Requests are then no longer signed with <Id value={removed.id} />, added{' '}
            <Time value={removed.created_at} />.
          </p>
        )}
      </Confirm>
    </>
  )
}
