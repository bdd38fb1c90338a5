import type { ReactNode } from 'react'
import { Button as AriaButton, type ButtonProps } from 'react-aria-components/Button'
import { useLocation, useRouter } from 'wouter'

type Look = 'primary' | 'secondary' | 'danger' | 'quiet'

export interface ActionButtonProps extends Omit<ButtonProps, 'className' | 'style' | 'children'> {
  readonly look?: Look
  readonly children: ReactNode
}

/** A button. */
export function Button({ look = 'secondary', ...props }: ActionButtonProps) {
  return <AriaButton {...props} className={`button button-${look}`} />
}

/** A link of the application that looks like a button. */
export function LinkButton({
  to,
  look = 'secondary',
  children,
}: {
  to: string
  look?: Look
  children: ReactNode
}) {
  const { base } = useRouter()
  const [, navigate] = useLocation()
  return (
    <a
      className={`button button-${look}`}
      href={base + to}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        navigate(to)
      }}
    >
      {children}
    </a>
  )
}
