/** "acme.test/pricing" becomes "https://acme.test/pricing". Addresses with a scheme stay as they are. */
export function completeAddress(typed: string): string {
  const address = typed.trim()
  return address === '' || address.includes('://') ? address : `https://${address}`
}

/** The options of a field for a web address: the form has the complete one; the field shows it once it is left. */
export const asWebAddress = {
  setValueAs: completeAddress,
  onBlur({ target }: { target: HTMLInputElement }) {
    target.value = completeAddress(target.value)
  },
}
