import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, unwrap, type Schemas } from '../api/client.ts'
import { useFeatures } from '../api/features.tsx'
import { useOperator } from '../session/session.tsx'
import { Button } from '../ui/button.tsx'
import { DialogBox, DialogForm } from '../ui/dialog.tsx'
import { TextField } from '../ui/fields.tsx'
import { ErrorNotice } from '../ui/notice.tsx'

/** Pauses a destination with a reason, or resumes it. */
export function PauseDestination({ destination }: { readonly destination: Schemas['Destination'] }) {
  const { name, state } = destination
  const { has } = useFeatures()
  const may = useOperator()?.may('replay') === true
  const queries = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const [reason, setReason] = useState('')
  const params = { path: { name } }
  const onSettled = () => queries.invalidateQueries({ queryKey: ['destinations'] })
  const close = () => {
    setAsking(false)
    pause.reset()
  }
  const pause = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST('/destinations/{name}/pause', {
          params,
          body: reason.trim() === '' ? {} : { reason: reason.trim() },
        }),
      ),
    onSuccess: () => {
      setAsking(false)
    },
    onSettled,
  })
  const resume = useMutation({
    mutationFn: () => unwrap(api.POST('/destinations/{name}/resume', { params })),
    onSettled,
  })
  if (!may || !has('pauseDestination', 'resumeDestination') || state === 'removed') return null
  return (
    <>
      {destination.paused_at === null ? (
        <Button
          onPress={() => {
            setReason('')
            setAsking(true)
          }}
        >
          Pause…
        </Button>
      ) : (
        <Button
          look="primary"
          isDisabled={resume.isPending}
          onPress={() => {
            resume.mutate()
          }}
        >
          Resume
        </Button>
      )}
      {resume.isError && <ErrorNotice error={resume.error} />}
      <DialogBox title={`Pause ${name}`} isOpen={isAsking} onClose={close}>
        <DialogForm action="Pause" change={pause} onClose={close}>
          <p>Its events wait until it is resumed. Nothing is lost, but an event can exceed a maximum age.</p>
          <TextField
            label="Reason"
            hint="Other operators and the audit log show it."
            autoFocus
            maxLength={200}
            value={reason}
            onChange={setReason}
          />
        </DialogForm>
      </DialogBox>
    </>
  )
}
