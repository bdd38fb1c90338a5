import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { api, unwrap, type Schemas } from '../api/client.ts'
import { useFeatures } from '../api/features.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Confirm, DialogBox, DialogForm } from '../ui/dialog.tsx'
import { Untrusted } from '../ui/text.tsx'
import { toFields, toPatch } from './destination-fields.ts'
import { DestinationForm } from './destination-form.tsx'
import { DestinationSecrets } from './destination-secrets.tsx'

type Managed = Schemas['ManagedDestination']

/** The declaration of a destination that operators created. */
export function ManagedDestination({ destination }: { readonly destination: Managed }) {
  const { name, url } = destination
  const { has } = useFeatures()
  const queries = useQueryClient()
  const [, navigate] = useLocation()
  const [asked, setAsked] = useState<'edit' | 'delete'>()
  const close = () => {
    setAsked(undefined)
  }
  const remove = useMutation({
    mutationFn: () => unwrap(api.DELETE('/destinations/{name}', { params: { path: { name } } })),
    onSuccess: async () => {
      navigate('/destinations')
      await queries.invalidateQueries({ queryKey: ['destinations'] })
    },
  })
  return (
    <>
      <Card title="Declaration">
        <p>
          <code>
            <Untrusted text={url} limit={500} />
          </code>
        </p>
        <div className="card-foot">
          {has('patchDestination') && (
            <Button
              onPress={() => {
                setAsked('edit')
              }}
            >
              Edit
            </Button>
          )}
          {has('deleteDestination') && (
            <Button
              look="danger"
              onPress={() => {
                setAsked('delete')
              }}
            >
              Delete
            </Button>
          )}
        </div>
      </Card>
      <Card title="Secrets">
        <DestinationSecrets destination={destination} />
      </Card>
      <DialogBox title="Edit the destination" isOpen={asked === 'edit'} onClose={close}>
        <EditForm destination={destination} onClose={close} />
      </DialogBox>
      <Confirm
        title="Delete the destination"
        isOpen={asked === 'delete'}
        onClose={close}
        action="Delete"
        isDangerous
        change={remove}
      >
        <p>
          This deletes the destination and its secrets for good. The events that wait for it become dead
          letters.
        </p>
      </Confirm>
    </>
  )
}

function EditForm({ destination, onClose }: { readonly destination: Managed; readonly onClose: () => void }) {
  const { name } = destination
  const queries = useQueryClient()
  const [fields, setFields] = useState(() => toFields(destination))
  const save = useMutation({
    mutationFn: () =>
      unwrap(api.PATCH('/destinations/{name}', { params: { path: { name } }, body: toPatch(fields) })),
    onSuccess: async () => {
      onClose()
      await queries.invalidateQueries({ queryKey: ['destination', name] })
      await queries.invalidateQueries({ queryKey: ['destinations'] })
    },
  })
  return (
    <DialogForm action="Save" change={save} onClose={onClose}>
      <DestinationForm fields={fields} onChange={setFields} />
    </DialogForm>
  )
}
