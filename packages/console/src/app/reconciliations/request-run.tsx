import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, unwrap } from '../api/client.ts'
import { fromLocalTime } from '../deliveries/delivery-filters.ts'
import { DialogBox, DialogForm } from '../ui/dialog.tsx'
import { Checkbox, TextField } from '../ui/fields.tsx'

interface Props {
  readonly name: string
  readonly onClose: () => void
}

/** Asks for a run of a source. */
export function RequestRun({ isOpen, ...props }: Props & { readonly isOpen: boolean }) {
  return (
    <DialogBox title={`Run ${props.name}`} isOpen={isOpen} onClose={props.onClose}>
      <Form {...props} />
    </DialogBox>
  )
}

function Form({ name, onClose }: Props) {
  const queries = useQueryClient()
  const [since, setSince] = useState('')
  const [isDry, setDry] = useState(true)
  const from = fromLocalTime(since)
  const request = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST('/reconciliations/{name}/runs', {
          params: { path: { name } },
          body: { dry_run: isDry, ...(from !== '' && { since: from }) },
        }),
      ),
    onSuccess: async () => {
      onClose()
      await queries.invalidateQueries({ queryKey: ['reconciliations'] })
    },
  })
  return (
    <DialogForm action="Run" change={request} onClose={onClose}>
      <TextField
        label="Since"
        hint="In your time zone. Leave it empty to go on at the end of the last run."
        type="datetime-local"
        value={since}
        onChange={setSince}
      />
      <Checkbox isSelected={isDry} onChange={setDry}>
        Dry run: only count what is missing
      </Checkbox>
    </DialogForm>
  )
}
