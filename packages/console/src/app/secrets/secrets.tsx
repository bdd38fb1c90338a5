import { useMutation } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { Confirm, DialogBox } from '../ui/dialog.tsx'
import { Id } from '../ui/text.tsx'
import { Time } from '../ui/time.tsx'
import { AddSecret, type Add } from './add-secret.tsx'

interface Secret {
  readonly id: string
  readonly created_at: string
}

/** The secrets of an endpoint or a destination, newest first. A rotation adds one, and later removes the old one. */
export function Secrets<One extends Secret>({
  secrets,
  use,
  loss,
  onAdd,
  onRemove,
  getAction,
  children,
}: {
  readonly secrets: readonly One[]
  /** What the secrets do. */
  readonly use: string
  /** What a removed secret no longer does. */
  readonly loss: string
  /** Absent if the operator may not add secrets. */
  readonly onAdd?: Add | false
  /** Absent if the operator may not remove secrets. */
  readonly onRemove?: ((id: string) => Promise<unknown>) | false
  /** Returns a further button of a secret. */
  readonly getAction?: (secret: One) => ReactNode
  /** Further items of the list. */
  readonly children?: ReactNode
}) {
  const [isAdding, setAdding] = useState(false)
  const [removed, setRemoved] = useState<One>()
  const remove = useMutation({
    mutationFn: async () => onRemove && removed && (await onRemove(removed.id)),
    onSuccess: () => {
      setRemoved(undefined)
    },
  })
  const closeAdding = () => {
    setAdding(false)
  }
  return (
    <>
      {secrets.length > 0 && (
        <p className="muted">
          {use} To rotate, add a secret, set it at the service, then remove the old one.
        </p>
      )}
      <ul className="secrets">
        {secrets.map((secret, index) => (
          <li key={secret.id} className="secret">
            <span>
              <Id value={secret.id} />{' '}
              <span className="muted">
                added <Time value={secret.created_at} />
                {index === 0 && ', newest'}
              </span>
            </span>
            {getAction?.(secret)}
            {onRemove && secrets.length > 1 && (
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
        {children}
      </ul>
      {onAdd && (
        <>
          <Button
            onPress={() => {
              setAdding(true)
            }}
          >
            {secrets.length > 0 ? 'Rotate: add a secret' : 'Add a secret'}
          </Button>
          <DialogBox title="Add a secret" isOpen={isAdding} onClose={closeAdding} role="alertdialog">
            <AddSecret onAdd={onAdd} onClose={closeAdding} />
          </DialogBox>
        </>
      )}
      <Confirm
        title="Remove the secret"
        isOpen={removed !== undefined}
        onClose={() => {
          setRemoved(undefined)
          remove.reset()
        }}
        action="Remove"
        isDangerous
        change={remove}
      >
        {removed && (
          <p>
            {loss} the {removed === secrets[0] ? 'newest' : 'older'} secret <Id value={removed.id} />, added{' '}
            <Time value={removed.created_at} />.
          </p>
        )}
      </Confirm>
    </>
  )
}
