import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, unwrap, type Schemas } from '../api/client.ts'
import { useFeatures } from '../api/features.tsx'
import { useOperator } from '../session/session.tsx'
import { Button } from '../ui/button.tsx'
import { ErrorNotice } from '../ui/notice.tsx'
import { Time } from '../ui/time.tsx'

/** The wait of an endpoint without a secret for the handshake in which the service sends its secret. */
export function AwaitHandshake({ endpoint }: { readonly endpoint: Schemas['Endpoint'] }) {
  const { id, handshake_until: until } = endpoint
  const { has } = useFeatures()
  const may = useOperator()?.may('manage') === true
  const queries = useQueryClient()
  const start = useMutation({
    mutationFn: () => unwrap(api.POST('/endpoints/{id}/handshake', { params: { path: { id } } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['endpoint', id] }),
  })
  return (
    <li className="muted">
      {until === null ? (
        'No secret, so no delivery is accepted: add the secret that the service creates.'
      ) : (
        <>
          No secret. The endpoint accepts a handshake of the service until <Time value={until} />.
        </>
      )}{' '}
      {may && has('startEndpointHandshake') && (
        <Button
          look="quiet"
          isDisabled={start.isPending}
          onPress={() => {
            start.mutate()
          }}
        >
          Wait for a handshake
        </Button>
      )}
      {start.isError && <ErrorNotice error={start.error} />}
    </li>
  )
}
