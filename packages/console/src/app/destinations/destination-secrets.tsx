import { useQueryClient } from '@tanstack/react-query'
import { api, unwrap, type Schemas } from '../api/client.ts'
import { useFeatures } from '../api/features.tsx'
import { Secrets } from '../secrets/secrets.tsx'

/** The secrets that sign the requests of a destination. */
export function DestinationSecrets({ destination }: { readonly destination: Schemas['ManagedDestination'] }) {
  const { name, secrets } = destination
  const { has } = useFeatures()
  const queries = useQueryClient()
  const refresh = () => queries.invalidateQueries({ queryKey: ['destination', name] })
  return (
    <Secrets
      secrets={secrets}
      use="Requests have the signatures of all secrets."
      loss="Requests are then no longer signed with"
      onAdd={
        has('addDestinationSecret') &&
        (async (body) => {
          const params = { path: { name } }
          const added = await unwrap(api.POST('/destinations/{name}/secrets', { params, body }))
          await refresh()
          return added
        })
      }
      onRemove={
        has('removeDestinationSecret') &&
        (async (secretId) => {
          const params = { path: { name, secret_id: secretId } }
          await unwrap(api.DELETE('/destinations/{name}/secrets/{secret_id}', { params }))
          await refresh()
        })
      }
    />
  )
}
