import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { api, unwrap } from '../api/client.ts'
import { useFeatures } from '../api/features.tsx'
import { SetupSteps } from '../help/setup-steps.tsx'
import { SecretField } from '../secrets/secret-field.tsx'
import { CopyOnce } from '../ui/copy-once.tsx'
import { DialogBox, DialogForm, DialogResult } from '../ui/dialog.tsx'
import { SelectField, TextField } from '../ui/fields.tsx'
import { toPublicAddress } from './address.ts'

/** Creates an endpoint, then shows its address, its secret and the steps at the service. */
export function CreateEndpoint({
  isOpen,
  onClose,
}: {
  readonly isOpen: boolean
  readonly onClose: () => void
}) {
  return (
    <DialogBox title="Create an endpoint" isOpen={isOpen} onClose={onClose} role="alertdialog">
      <Form onClose={onClose} />
    </DialogBox>
  )
}

function Form({ onClose }: { readonly onClose: () => void }) {
  const { has } = useFeatures()
  const queries = useQueryClient()
  const [, navigate] = useLocation()
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
    onSuccess: () => queries.invalidateQueries({ queryKey: ['endpoints'] }),
  })
  if (create.data) {
    const { data: created } = create.data
    const showEndpoint = () => {
      onClose()
      navigate(`/endpoints/${created.id}`)
    }
    return (
      <DialogResult message="The endpoint is created." onClose={showEndpoint}>
        <CopyOnce label="Address for the service" value={toPublicAddress(created.url)} />
        {created.secret !== null && <CopyOnce label="Secret" value={created.secret} isOnce />}
        {created.secrets.length === 0 && (
          <p>The secret comes from the service. Until the endpoint has it, no delivery is accepted.</p>
        )}
        <p>At the service:</p>
        <SetupSteps provider={created.provider} />
      </DialogResult>
    )
  }
  return (
    <DialogForm action="Create" change={create} onClose={onClose}>
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
      <SecretField value={secret} onChange={setSecret} />
    </DialogForm>
  )
}
