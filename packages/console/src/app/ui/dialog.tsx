import type { ReactNode } from 'react'
import { Dialog, Heading } from 'react-aria-components/Dialog'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { Button } from './button.tsx'
import { ErrorNotice } from './notice.tsx'

export interface DialogBoxProps {
  readonly title: string
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly role?: 'dialog' | 'alertdialog'
  readonly isWide?: boolean
  readonly children: ReactNode
}

/** A modal dialog. Escape and a press outside close it. */
export function DialogBox({
  title,
  isOpen,
  onClose,
  role = 'dialog',
  isWide = false,
  children,
}: DialogBoxProps) {
  return (
    <ModalOverlay
      className="overlay"
      isOpen={isOpen}
      isDismissable={role === 'dialog'}
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
    >
      <Modal className={`modal ${isWide ? 'modal-wide' : ''}`}>
        <Dialog className="dialog" role={role}>
          <Heading slot="title" className="dialog-title">
            {title}
          </Heading>
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

/** The result of a form in a dialog. */
export function DialogResult({
  onClose,
  children,
}: {
  readonly onClose: () => void
  readonly children: ReactNode
}) {
  return (
    <>
      <div className="dialog-body">{children}</div>
      <div className="dialog-actions">
        <Button look="primary" onPress={onClose}>
          Done
        </Button>
      </div>
    </>
  )
}

/** Asks before an action. */
export function Confirm(props: {
  readonly title: string
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly action: string
  readonly isDangerous?: boolean
  readonly isPending: boolean
  readonly error: unknown
  readonly onConfirm: () => void
  readonly children: ReactNode
}) {
  return (
    <DialogBox title={props.title} isOpen={props.isOpen} onClose={props.onClose} role="alertdialog">
      <div className="dialog-body">
        {props.children}
        {props.error != null && <ErrorNotice error={props.error} />}
      </div>
      <div className="dialog-actions">
        <Button onPress={props.onClose} autoFocus>
          Cancel
        </Button>
        <Button
          look={props.isDangerous ? 'danger' : 'primary'}
          isDisabled={props.isPending}
          onPress={props.onConfirm}
        >
          {props.action}
        </Button>
      </div>
    </DialogBox>
  )
}
