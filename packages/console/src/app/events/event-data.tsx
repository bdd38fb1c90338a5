import { useMemo } from 'react'
import { BodyView } from '../body/body-view.tsx'
import { decodeBody } from '../body/decode.ts'
import { Button } from '../ui/button.tsx'
import { DialogBox } from '../ui/dialog.tsx'
import { Id } from '../ui/text.tsx'
import type { PublishedEvent } from './published-event.ts'

/** The data of an event in a dialog. */
export function EventData({
  event,
  onClose,
}: {
  readonly event: PublishedEvent | undefined
  readonly onClose: () => void
}) {
  const body = useMemo(
    () => event && decodeBody({ encoding: 'utf-8', data: JSON.stringify(event.data, null, 2) }),
    [event],
  )
  return (
    <DialogBox title="Data of the event" isOpen={event !== undefined} onClose={onClose} isWide>
      <div className="dialog-body">
        {event && <Id value={event.id} />}
        {body && <BodyView body={body} />}
      </div>
      <div className="dialog-actions">
        <Button onPress={onClose}>Close</Button>
      </div>
    </DialogBox>
  )
}
