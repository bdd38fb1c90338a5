import type { UseMutationResult } from '@tanstack/react-query'
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
  message,
  onClose,
  children,
}: {
  /** The result in a sentence. */
  readonly message: string
  readonly onClose: () => void
  readonly children?: ReactNode
}) {
  return (
    <>
      <div className="dialog-body">
        <p role="status">
          <strong>{message}</strong>
        </p>
        {children}
      </div>
      <div className="dialog-actions">
        <Button look="primary" onPress={onClose}>
          Done
        </Button>
      </div>
    </>
  )
}

/** What a dialog does: the result of `useMutation`. */
export type Change = Pick<UseMutationResult<unknown, Error, void>, 'isPending' | 'error' | 'mutate'>

/** Returns a change whose variables are known. */
export const bindChange = <Variables,>(
  { isPending, error, mutate }: Pick<UseMutationResult<unknown, Error, Variables>, keyof Change>,
  variables: Variables,
): Change => ({
  ...{ isPending, error },
  mutate() {
    mutate(variables)
  },
})

/** A form in a dialog. */
export function DialogForm({
  action,
  change,
  isDisabled = false,
  onClose,
  children,
}: {
  /** The label of the button. */
  readonly action: string
  readonly change: Change
  readonly isDisabled?: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        change.mutate()
      }}
    >
      <div className="dialog-body">
        {children}
        {change.error != null && <ErrorNotice error={change.error} />}
      </div>
      <div className="dialog-actions">
        <Button onPress={onClose}>Cancel</Button>
        <Button type="submit" look="primary" isDisabled={isDisabled || change.isPending}>
          {action}
        </Button>
      </div>
    </form>
  )
}

/** Asks before an action. */
export function Confirm(props: {
  readonly title: string
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly action: string
  readonly isDangerous?: boolean
  readonly change: Change
  readonly children: ReactNode
}) {
  const { change } = props
  return (
    <DialogBox title={props.title} isOpen={props.isOpen} onClose={props.onClose} role="alertdialog">
      <div className="dialog-body">
        {props.children}
        {change.error != null && <ErrorNotice error={change.error} />}
      </div>
      <div className="dialog-actions">
        <Button onPress={props.onClose} autoFocus>
          Cancel
        </Button>
        <Button
          look={props.isDangerous ? 'danger' : 'primary'}
          isDisabled={change.isPending}
          onPress={() => {
            change.mutate()
          }}
        >
          {props.action}
        </Button>
      </div>
    </DialogBox>
  )
}
