import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { api, unwrap, type Schemas } from '../api/client.ts'
import { CopyOnce } from '../endpoints/copy-once.tsx'
import { Button } from '../ui/button.tsx'
import { DialogBox, DialogResult } from '../ui/dialog.tsx'
import { TextField } from '../ui/fields.tsx'
import { ErrorNotice } from '../ui/notice.tsx'
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
  const [created, setCreated] = useState<Schemas['CreatedManagedDestination']>()
  const [, navigate] = useLocation()
  const close = () => {
    onClose()
    if (created) navigate(`/destinations/${encodeURIComponent(created.name)}`)
  }
  return (
    <DialogBox
      title={created ? 'The destination is created' : 'Create a destination'}
      isOpen={isOpen}
      onClose={close}
      role={created ? 'alertdialog' : 'dialog'}
    >
      {created ? (
        <DialogResult onClose={close}>
          {created.secret === null ? (
            <p>Requests are signed with the given secret.</p>
          ) : (
            <CopyOnce label="Secret" value={created.secret} isOnce />
          )}
        </DialogResult>
      ) : (
        <CreateForm onClose={onClose} onCreated={setCreated} />
      )}
    </DialogBox>
  )
}

function CreateForm({
  onClose,
  onCreated,
}: {
  readonly onClose: () => void
  readonly onCreated: (created: Schemas['CreatedManagedDestination']) => void
}) {
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const [fields, setFields] = useState(emptyFields)
  const [secret, setSecret] = useState('')
  const create = useMutation({
    mutationFn: () => unwrap(api.POST('/destinations', { body: toDeclaration(name, fields, secret) })),
    onSuccess: async ({ data }) => {
      onCreated(data)
      await queries.invalidateQueries({ queryKey: ['destinations'] })
    },
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        create.mutate()
      }}
    >
      <div className="dialog-body">
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
        <TextField
          label="Secret"
          hint="Leave it empty to generate one."
          type="password"
          autoComplete="off"
          value={secret}
          onChange={setSecret}
        />
        {create.isError && <ErrorNotice error={create.error} />}
      </div>
      <div className="dialog-actions">
        <Button onPress={onClose}>Cancel</Button>
        <Button type="submit" look="primary" isDisabled={create.isPending}>
          Create
        </Button>
      </div>
    </form>
  )
}
