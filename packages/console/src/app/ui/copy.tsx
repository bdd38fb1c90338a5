import { useState } from 'react'
import { Icon } from '../layout/icons.tsx'
import { Button } from './button.tsx'

/** A button that copies text. It says so for two seconds. */
export function CopyButton({
  text,
  label = 'Copy',
  look = 'quiet',
}: {
  text: string | (() => string)
  label?: string
  look?: 'quiet' | 'secondary'
}) {
  const [state, setState] = useState<'idle' | 'copied' | 'refused'>('idle')
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : text())
      setState('copied')
    } catch {
      setState('refused')
    }
    setTimeout(() => {
      setState('idle')
    }, 2000)
  }
  const shown = state === 'copied' ? 'Copied' : state === 'refused' ? 'The browser refused' : label
  return (
    <>
      <Button look={look} onPress={() => void copy()}>
        <Icon name={state === 'copied' ? 'check' : 'copy'} />
        {shown}
      </Button>
      <span className="visually-hidden" role="status">
        {state !== 'idle' && shown}
      </span>
    </>
  )
}

/** A value in a box, and a button that copies it. */
export function CopyValue({ value }: { readonly value: string }) {
  return (
    <div className="copy-value">
      <code>{value}</code>
      <CopyButton text={value} look="secondary" />
    </div>
  )
}
