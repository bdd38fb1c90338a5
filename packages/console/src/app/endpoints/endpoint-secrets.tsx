import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, unwrap, type Schemas } from '../api/client.ts'
import { useFeatures } from '../api/features.tsx'
import { Secrets } from '../secrets/secrets.tsx'
import { useOperator } from '../session/session.tsx'
import { Button } from '../ui/button.tsx'
import { DialogBox } from '../ui/dialog.tsx'
import { AwaitHandshake } from './await-handshake.tsx'
import { ReadSecret } from './read-secret.tsx'

/** The secrets of an endpoint, or its wait for the handshake that brings one. */
export function EndpointSecrets({ endpoint }: { readonly endpoint: Schemas['Endpoint'] }) {
  const { id, secrets } = endpoint
  const { has } = useFeatures()
  const may = useOperator()?.may('manage') === true
  const queries = useQueryClient()
  const [isReading, setReading] = useState(false)
  const close = () => {
    setReading(false)
  }
  const refresh = () => queries.invalidateQueries({ queryKey: ['endpoint', id] })
  return (
    <>
      <Secrets
        secrets={secrets}
        use="Deliveries verify with any of these secrets."
        loss="The gateway then refuses deliveries that are signed with"
        onAdd={
          may &&
          has('addEndpointSecret') &&
          (async (body) => {
            const added = await unwrap(
              api.POST('/endpoints/{id}/secrets', { params: { path: { id } }, body }),
            )
            await refresh()
            return added
          })
        }
        onRemove={
          may &&
          has('removeEndpointSecret') &&
          (async (secretId) => {
            const params = { path: { id, secret_id: secretId } }
            await unwrap(api.DELETE('/endpoints/{id}/secrets/{secret_id}', { params }))
            await refresh()
          })
        }
        getAction={({ readable }) =>
          may &&
          has('readHandshakeSecret') &&
          readable && (
            <Button
              look="quiet"
              onPress={() => {
                setReading(true)
              }}
            >
              Show once
            </Button>
          )
        }
      >
        {secrets.length === 0 && <AwaitHandshake endpoint={endpoint} />}
      </Secrets>
      <DialogBox title="Show the secret" isOpen={isReading} onClose={close}>
        <ReadSecret id={id} onClose={close} />
      </DialogBox>
    </>
  )
}
