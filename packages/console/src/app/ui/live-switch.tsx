import { Button } from './button.tsx'
import type { LiveItems } from './use-stream.ts'

const labels = {
  connecting: 'Connecting…',
  live: 'Live',
  interrupted: 'Interrupted, connecting again…',
} as const

/** Turns a live list on and off, and shows the state of its connection. */
export function LiveSwitch(props: {
  readonly isOn: boolean
  readonly state: LiveItems<unknown>['state']
  readonly onChange: (isOn: boolean) => void
}) {
  const { isOn, state, onChange } = props
  const label = isOn ? labels[state] : 'Go live'
  return (
    <>
      <Button
        aria-pressed={isOn}
        onPress={() => {
          onChange(!isOn)
        }}
      >
        <span className={`dot ${isOn ? `dot-${state}` : ''}`} aria-hidden="true" />
        {label}
      </Button>
      <span className="visually-hidden" role="status">
        {isOn && label}
      </span>
    </>
  )
}
