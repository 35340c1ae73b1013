/** A select box with a label for screen readers. */
export const Choice = <T extends string>({
  label,
  value,
  options,
  onChange,
}: {
  readonly label: string;
  readonly value: T;
  /** the values and their labels */
  readonly options: Readonly<Record<T, string>>;
  readonly onChange: (value: T) => void;
}) => (
  <select aria-label={label} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value as T)}>
    {Object.entries<string>(options).map(([each, name]) => (
      <option value={each} key={each}>
        {name}
      </option>
    ))}
  </select>
);
