import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, unwrap, type Schemas } from '../api/client.ts'
import { TextField } from '../ui/fields.tsx'
import { fromFields, toFields, type EndpointFields } from './endpoint-fields.ts'
import { DialogForm } from '../ui/dialog.tsx'

/** Changes the name, the kinds, the tolerance and the labels of an endpoint. */
export function EditEndpoint({
  endpoint,
  onClose,
}: {
  readonly endpoint: Schemas['Endpoint']
  readonly onClose: () => void
}) {
  const { id } = endpoint
  const queries = useQueryClient()
  const [fields, setFields] = useState(() => toFields(endpoint))
  const set = (name: keyof EndpointFields) => (value: string) => {
    setFields({ ...fields, [name]: value })
  }
  const save = useMutation({
    mutationFn: () =>
      unwrap(api.PATCH('/endpoints/{id}', { params: { path: { id } }, body: fromFields(fields) })),
    onSuccess: async () => {
      onClose()
      await queries.invalidateQueries({ queryKey: ['endpoint', id] })
      await queries.invalidateQueries({ queryKey: ['endpoints'] })
    },
  })
  return (
    <DialogForm action="Save" change={save} onClose={onClose}>
      <TextField
        label="Name"
        isRequired
        autoFocus
        maxLength={200}
        value={fields.name}
        onChange={set('name')}
      />
      <TextField
        label="Kinds"
        hint="One a line, such as push or pull_request.*; others are ignored. Leave it empty for all kinds."
        lines={3}
        value={fields.only}
        onChange={set('only')}
      />
      <TextField
        label="Tolerance in seconds"
        hint="The maximum age of a signed time. Leave it empty for that of the provider."
        inputMode="numeric"
        value={fields.tolerance}
        onChange={set('tolerance')}
      />
      <TextField
        label="Labels"
        hint="One a line, such as plan=free"
        lines={3}
        value={fields.labels}
        onChange={set('labels')}
      />
    </DialogForm>
  )
}
