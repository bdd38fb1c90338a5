import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { api, unwrap } from '../api/client.ts'
import { SecretField } from '../secrets/secret-field.tsx'
import { CopyOnce } from '../ui/copy-once.tsx'
import { DialogBox, DialogForm, DialogResult } from '../ui/dialog.tsx'
import { TextField } from '../ui/fields.tsx'
import { emptyFields, toDeclaration } from './destination-fields.ts'
import { DestinationForm } from './destination-form.tsx'

/** Creates a destination, then shows its secret once. */
export function CreateDestination({
  isOpen,
  onClose,
}: {
  readonly isOpen: boolean
  readonly onClose: () => void
}) {
  return (
    <DialogBox title="Create a destination" isOpen={isOpen} onClose={onClose} role="alertdialog">
      <Form onClose={onClose} />
    </DialogBox>
  )
}

function Form({ onClose }: { readonly onClose: () => void }) {
  const queries = useQueryClient()
  const [, navigate] = useLocation()
  const [name, setName] = useState('')
  const [fields, setFields] = useState(emptyFields)
  const [secret, setSecret] = useState('')
  const create = useMutation({
    mutationFn: () => unwrap(api.POST('/destinations', { body: toDeclaration(name, fields, secret) })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['destinations'] }),
  })
  if (create.data) {
    const { data: created } = create.data
    const showDestination = () => {
      onClose()
      navigate(`/destinations/${encodeURIComponent(created.name)}`)
    }
    return (
      <DialogResult message="The destination is created." onClose={showDestination}>
        {created.secret === null ? (
          <p>Requests are signed with the given secret.</p>
        ) : (
          <CopyOnce label="Secret" value={created.secret} isOnce />
        )}
      </DialogResult>
    )
  }
  return (
    <DialogForm action="Create" change={create} onClose={onClose}>
      <TextField
        label="Name"
        hint="Lower-case letters, digits, dots, hyphens and underscores"
        isRequired
        autoFocus
        maxLength={64}
        value={name}
        onChange={setName}
      />
      <DestinationForm fields={fields} onChange={setFields} />
      <SecretField value={secret} onChange={setSecret} />
    </DialogForm>
  )
}
