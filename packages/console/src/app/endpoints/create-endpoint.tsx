import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { api, unwrap, type Schemas } from '../api/client.ts'
import { useFeatures } from '../api/features.tsx'
import { SetupSteps } from '../help/setup-steps.tsx'
import { Button } from '../ui/button.tsx'
import { DialogBox, DialogResult } from '../ui/dialog.tsx'
import { SelectField, TextField } from '../ui/fields.tsx'
import { ErrorNotice } from '../ui/notice.tsx'
import { toPublicAddress } from './address.ts'
import { CopyOnce } from './copy-once.tsx'

/** Creates an endpoint, then shows its address, its secret and the steps at the service. */
export function CreateEndpoint({
  isOpen,
  onClose,
}: {
  readonly isOpen: boolean
  readonly onClose: () => void
}) {
  const [created, setCreated] = useState<Schemas['CreatedEndpoint']>()
  const [, navigate] = useLocation()
  const close = () => {
    onClose()
    if (created) navigate(`/endpoints/${created.id}`)
  }
  return (
    <DialogBox
      title={created ? 'The endpoint is created' : 'Create an endpoint'}
      isOpen={isOpen}
      onClose={close}
      role={created ? 'alertdialog' : 'dialog'}
    >
      {created ? (
        <Created endpoint={created} onClose={close} />
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
  readonly onCreated: (endpoint: Schemas['CreatedEndpoint']) => void
}) {
  const { has } = useFeatures()
  const queries = useQueryClient()
  const providers = useQuery({
    queryKey: ['providers'],
    queryFn: ({ signal }) => unwrap(api.GET('/providers', { signal })),
    enabled: has('listProviders'),
  })
  const registered = providers.data?.data.filter((one) => one.registered) ?? []
  const [provider, setProvider] = useState('')
  const [name, setName] = useState('')
  const [secret, setSecret] = useState('')
  const chosen = provider === '' ? (registered[0]?.name ?? '') : provider
  const create = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST('/endpoints', {
          body: { provider: chosen, name: name.trim(), ...(secret !== '' && { secret }) },
        }),
      ),
    onSuccess: async ({ data }) => {
      onCreated(data)
      await queries.invalidateQueries({ queryKey: ['endpoints'] })
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
          hint="Such as the name of the customer"
          isRequired
          autoFocus
          value={name}
          onChange={setName}
          maxLength={200}
        />
        {providers.isLoading ? null : registered.length > 0 ? (
          <SelectField
            label="Provider"
            choices={registered.map((one) => ({ id: one.name, label: one.title }))}
            value={chosen}
            onChange={setProvider}
          />
        ) : (
          <TextField label="Provider" isRequired value={provider} onChange={setProvider} />
        )}
        <TextField
          label="Secret of the service"
          hint="Leave it empty to generate one. If the service creates the secret, enter it here or add it later."
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

function Created({
  endpoint,
  onClose,
}: {
  readonly endpoint: Schemas['CreatedEndpoint']
  readonly onClose: () => void
}) {
  return (
    <DialogResult onClose={onClose}>
      <CopyOnce label="Address for the service" value={toPublicAddress(endpoint.url)} />
      {endpoint.secret !== null && <CopyOnce label="Secret" value={endpoint.secret} isOnce />}
      <SetupSteps provider={endpoint.provider} />
    </DialogResult>
  )
}
