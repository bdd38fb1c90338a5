import { useId, type ReactNode } from 'react'
import { Button } from 'react-aria-components/Button'
import { CheckboxButton, CheckboxField, type CheckboxFieldProps } from 'react-aria-components/Checkbox'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import { Select, SelectValue } from 'react-aria-components/Select'
import {
  Input,
  Label,
  Text,
  TextArea,
  TextField as AriaTextField,
  type TextFieldProps,
} from 'react-aria-components/TextField'
import { Icon } from '../layout/icons.tsx'

/** A field for one line of text. */
export function TextField({
  label,
  hint,
  placeholder,
  lines = 1,
  suggestions = [],
  ...props
}: Omit<TextFieldProps, 'className' | 'style' | 'children'> & {
  readonly label: string
  readonly hint?: ReactNode
  readonly placeholder?: string
  readonly lines?: number
  /** Values that the browser offers; any other value is possible, too. */
  readonly suggestions?: readonly Choice[]
}) {
  const listId = useId()
  return (
    <AriaTextField {...props} className="field">
      <Label className="label">{label}</Label>
      {lines === 1 ? (
        <Input
          className="input"
          placeholder={placeholder}
          list={suggestions.length > 0 ? listId : undefined}
        />
      ) : (
        <TextArea className="input" rows={lines} placeholder={placeholder} />
      )}
      {suggestions.length > 0 && (
        <datalist id={listId}>
          {suggestions.map(({ id, label: text }) => (
            <option key={id} value={id} label={text} />
          ))}
        </datalist>
      )}
      {hint !== undefined && (
        <Text slot="description" className="hint">
          {hint}
        </Text>
      )}
    </AriaTextField>
  )
}

export interface Choice {
  readonly id: string
  readonly label: string
}

/** A field with a list of choices. */
export function SelectField(props: {
  readonly label: string
  readonly choices: readonly Choice[]
  readonly value: string
  readonly onChange: (value: string) => void
}) {
  return (
    <Select
      className="field"
      value={props.value}
      onChange={(key) => {
        props.onChange(String(key))
      }}
    >
      <Label className="label">{props.label}</Label>
      <Button className="input select-button">
        <SelectValue className="select-value" />
        <Icon name="down" />
      </Button>
      <Popover className="popover">
        <ListBox className="listbox" items={props.choices}>
          {({ id, label }) => (
            <ListBoxItem id={id} className="option" textValue={label}>
              {label}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </Select>
  )
}

/** A checkbox. Without children it needs an `aria-label`. */
export function Checkbox({
  children,
  ...props
}: Omit<CheckboxFieldProps, 'className' | 'style' | 'children'> & { readonly children?: ReactNode }) {
  return (
    <CheckboxField {...props} className="checkbox-field">
      <CheckboxButton className="checkbox">
        <span className="check" aria-hidden="true">
          <Icon name="check" />
        </span>
        {children}
      </CheckboxButton>
    </CheckboxField>
  )
}
