import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { CopyOnce } from '../ui/copy-once.tsx'
import { DialogForm, DialogResult } from '../ui/dialog.tsx'
import { SecretField } from './secret-field.tsx'

/** Adds a secret, and returns the generated one; null for a given one. */
export type Add = (body: {
  secret?: string
}) => Promise<{ readonly data: { readonly secret: string | null } }>

/** The form of a new secret, then the generated one. */
export function AddSecret({ onAdd, onClose }: { readonly onAdd: Add; readonly onClose: () => void }) {
  const [secret, setSecret] = useState('')
  const add = useMutation({ mutationFn: () => onAdd(secret === '' ? {} : { secret }) })
  if (add.data) {
    const { secret: shown } = add.data.data
    return (
      <DialogResult message="The secret is added." onClose={onClose}>
        {shown !== null && <CopyOnce label="Secret" value={shown} isOnce />}
      </DialogResult>
    )
  }
  return (
    <DialogForm action="Add" change={add} onClose={onClose}>
      <SecretField value={secret} onChange={setSecret} autoFocus />
    </DialogForm>
  )
}
