export function PhoneLink({ phone }: { phone: string }) {
  return <a href={`tel:${phone.replaceAll(/[^\d+]/g, '')}`}>{phone}</a>
}
