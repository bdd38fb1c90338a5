import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { api, unwrap, type Schemas } from '../api/client.ts'
import { useOperator } from '../session/session.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { SelectField } from '../ui/fields.tsx'
import { ErrorNotice, Loading } from '../ui/notice.tsx'
import { Untrusted } from '../ui/text.tsx'

/** Sends a sample of the service to an endpoint, through the gateway. */
export function TestDelivery({ endpoint }: { readonly endpoint: Schemas['Endpoint'] }) {
  const { id, provider } = endpoint
  const may = useOperator()?.may('manage') === true
  const facts = useQuery({
    queryKey: ['provider', provider],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/providers/{name}', { params: { path: { name: provider } }, signal })),
  })
  const [kind, setKind] = useState('')
  const send = useMutation({
    mutationFn: (sent: string) =>
      unwrap(api.POST('/endpoints/{id}/test-deliveries', { params: { path: { id } }, body: { kind: sent } })),
  })
  if (facts.isPending) return <Loading />
  const samples = facts.data?.data.samples ?? []
  if (samples.length === 0) return <p className="muted">There is no sample of this provider.</p>
  const chosen = kind === '' ? (samples[0] ?? '') : kind
  return (
    <>
      <p className="muted">
        A sample, signed with the secret of this endpoint, goes through the whole gateway.
      </p>
      {may && (
        <div className="inline-form">
          <SelectField
            label="Kind"
            choices={samples.map((one) => ({ id: one, label: one }))}
            value={chosen}
            onChange={setKind}
          />
          <Button
            look="primary"
            isDisabled={send.isPending}
            onPress={() => {
              send.mutate(chosen)
            }}
          >
            Send
          </Button>
        </div>
      )}
      {send.isError && <ErrorNotice error={send.error} />}
      {send.data && <Result result={send.data.data} endpoint={id} />}
    </>
  )
}

function Result({
  result,
  endpoint,
}: {
  readonly result: Schemas['TestDelivery']
  readonly endpoint: string
}) {
  const { outcome, status, delivery_id: deliveryId, reason, code, message } = result
  return (
    <div className="test-result" role="status">
      <p>
        <Badge state={outcome} /> The gateway answered {status}
        {code !== null && (
          <>
            {' '}
            <code>{code}</code>
          </>
        )}
        .
      </p>
      {(message ?? reason) !== null && (
        <p>
          <Untrusted text={message ?? reason ?? ''} />
        </p>
      )}
      {deliveryId === null ? (
        <Link href={`/deliveries?endpoint=${encodeURIComponent(endpoint)}`}>Deliveries of this endpoint</Link>
      ) : (
        <Link href={`/deliveries/${deliveryId}`}>Show the delivery</Link>
      )}
    </div>
  )
}
