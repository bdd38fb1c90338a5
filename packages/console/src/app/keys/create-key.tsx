import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, unwrap, type Schemas } from '../api/client.ts'
import { CopyOnce } from '../ui/copy-once.tsx'
import { DialogBox, DialogResult, DialogForm } from '../ui/dialog.tsx'
import { Checkbox, SelectField, TextField } from '../ui/fields.tsx'

type Scope = Schemas['CreateKey']['scopes'][number]

const scopes: readonly { readonly id: Scope; readonly text: string }[] = [
  { id: 'deliveries:read', text: 'Read deliveries and failures' },
  { id: 'events:read', text: 'Read events' },
  { id: 'statistics:read', text: 'Read statistics and the status' },
  { id: 'replays:write', text: 'Replay and retry' },
  { id: 'deliveries:erase', text: 'Erase content' },
  { id: 'endpoints:read', text: 'Read endpoints' },
  { id: 'endpoints:write', text: 'Change endpoints' },
  { id: 'keys:write', text: 'Change keys' },
  { id: 'audit:read', text: 'Read the audit log' },
]

const lifetimes = [
  { id: '30', label: '30 days' },
  { id: '90', label: '90 days' },
  { id: '365', label: '1 year' },
  { id: 'never', label: 'Never' },
]
const dayMs = 86_400_000

/** Creates a key and shows it once. */
export function CreateKey({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  return (
    <DialogBox title="Create a key" isOpen={isOpen} onClose={onClose} role="alertdialog">
      <Form onClose={onClose} />
    </DialogBox>
  )
}

function Form({ onClose }: { readonly onClose: () => void }) {
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<readonly Scope[]>(['deliveries:read'])
  const [endpoints, setEndpoints] = useState('')
  const [lifetime, setLifetime] = useState('90')
  const create = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST('/keys', {
          body: {
            name: name.trim(),
            scopes: [...chosen],
            endpoints: endpoints.trim() === '' ? null : endpoints.trim(),
            expires_at:
              lifetime === 'never' ? null : new Date(Date.now() + Number(lifetime) * dayMs).toISOString(),
          },
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['keys'] }),
  })
  if (create.data) {
    return (
      <DialogResult message="The key is created." onClose={onClose}>
        <CopyOnce label="Key" value={create.data.data.key} isOnce />
      </DialogResult>
    )
  }
  return (
    <DialogForm action="Create" change={create} isDisabled={chosen.length === 0} onClose={onClose}>
      <TextField
        label="Name"
        hint="Such as the program that uses it"
        isRequired
        autoFocus
        value={name}
        onChange={setName}
        maxLength={100}
      />
      <fieldset className="scopes">
        <legend className="label">Scopes</legend>
        {scopes.map(({ id, text }) => (
          <Checkbox
            key={id}
            isSelected={chosen.includes(id)}
            onChange={(isSelected) => {
              setChosen(isSelected ? [...chosen, id] : chosen.filter((one) => one !== id))
            }}
          >
            <span>
              {text} <code className="muted">{id}</code>
            </span>
          </Checkbox>
        ))}
      </fieldset>
      <TextField
        label="Endpoints"
        hint="All, or those with labels, such as region=eu,plan=gold"
        value={endpoints}
        onChange={setEndpoints}
        maxLength={1000}
      />
      <SelectField label="Expires after" choices={lifetimes} value={lifetime} onChange={setLifetime} />
    </DialogForm>
  )
}
