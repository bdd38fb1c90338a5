import { SelectField, TextField } from '../ui/fields.tsx'
import { orders, requests, type DestinationFields } from './destination-fields.ts'

const example = `{
  "headers": { "x-tenant": "acme" },
  "filter": { "data": { "data.action": ["opened"] } },
  "timeout_seconds": 10,
  "retry": [5, 60, 600],
  "statuses": { "dead": [400, 422] }
}`

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
      <details className="further" open={fields.further !== ''}>
        <summary>Headers, retries, timeouts and filters of data</summary>
        <TextField
          label="Further members"
          hint="A JSON object with headers, allow_headers, query, filter (provider, endpoint, data), timeout_seconds, retry, max_age_seconds or statuses. A header with the value [redacted] keeps its value."
          placeholder={example}
          lines={8}
          spellCheck="false"
          value={fields.further}
          onChange={set('further')}
        />
      </details>
    </>
  )
}
