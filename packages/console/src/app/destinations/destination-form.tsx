import { SelectField, TextField } from '../ui/fields.tsx'
import { orders, requests, type DestinationFields } from './destination-fields.ts'

/** The fields that a new destination and a change of one share. */
export function DestinationForm({
  fields,
  onChange,
}: {
  readonly fields: DestinationFields
  readonly onChange: (fields: DestinationFields) => void
}) {
  const set = (name: keyof DestinationFields) => (value: string) => {
    onChange({ ...fields, [name]: value })
  }
  return (
    <>
      <TextField
        label="Address"
        type="url"
        placeholder="https://billing.example.com/webhooks"
        isRequired
        value={fields.url}
        onChange={set('url')}
      />
      <SelectField label="Requests" choices={requests} value={fields.requests} onChange={set('requests')} />
      <TextField
        label="Kinds"
        hint="One a line, such as github/push or github/issues.*. Leave it empty for all."
        lines={3}
        value={fields.kinds}
        onChange={set('kinds')}
      />
      <SelectField label="Order" choices={orders} value={fields.order} onChange={set('order')} />
      <TextField
        label="Requests a second"
        hint="Of all processes. Leave it empty for no limit."
        inputMode="decimal"
        value={fields.rate}
        onChange={set('rate')}
      />
      <TextField
        label="Requests at the same time"
        hint="Of each process. Leave it empty for 10."
        inputMode="numeric"
        value={fields.concurrency}
        onChange={set('concurrency')}
      />
    </>
  )
}
