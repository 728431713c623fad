import type { JoinTexts } from '../en/join.ts'
import { formsIn } from '../forms.ts'

const n = formsIn('es')

export const join: JoinTexts = {
  languages: 'Idiomas',
  title: (program) => `Únase al programa de afiliados de ${program}`,
  closed: 'El programa no acepta solicitudes en este momento.',
  notFound: {
    title: 'Página no encontrada',
    text: 'No hay nada en esta dirección. Compruebe el enlace o pida uno nuevo al programa.',
  },
  email: 'Correo electrónico',
  firstName: 'Nombre',
  lastName: 'Apellidos',
  optional: (label) => `${label} (opcional)`,
  leaveEmpty: 'Deje este campo vacío',
  terms: 'Condiciones',
  acceptTerms: 'Acepto las condiciones',
  apply: 'Enviar solicitud',
  problems: {
    blank: (label) => `${label}: rellene este campo.`,
    url: (label) => `${label}: la dirección debe empezar por http:// o https://.`,
    tooLong: (label, most) => `${label}: el texto es demasiado largo (${most} caracteres como máximo).`,
    number: (label) => `${label}: escriba un número como 12.5.`,
    date: (label) => `${label}: escriba una fecha como 2026-01-31.`,
    campaign: 'Esta campaña no admite solicitudes en este momento.',
    wrong: (label) => `${label}: revise este dato.`,
    terms: 'Acepte las condiciones para enviar la solicitud.',
  },
  deal: {
    percent: (percent) => `el ${percent} de cada pago`,
    amount: (amount) => `${amount} por cada pago`,
    earn: (reward, most, limit) => `Usted gana ${reward} de un cliente que traiga${most}${limit}.`,
    most: n({ one: ', como máximo # vez', other: ', como máximo # veces' }),
    limit: n({ one: ', durante # mes', other: ', durante # meses' }),
  },
  sent: {
    title: (program) => `Solicitud a ${program}`,
    heading: 'Mire su buzón',
    text: (program) => `Le hemos enviado un correo con un enlace. Ábralo para confirmar su solicitud a ${program}.`,
  },
  confirm: {
    title: 'Confirme su correo electrónico',
    text: 'Pulse el botón para confirmar su solicitud.',
    button: 'Confirmar',
    applied: 'Gracias. Su correo está confirmado. Recibirá la decisión por correo.',
    approved: '¡Le damos la bienvenida! Ya es afiliado. Le hemos enviado un correo con su enlace.',
    rejected: 'Su correo está confirmado. Su solicitud no ha sido aceptada: vea el correo.',
    expired: 'Esta solicitud ha caducado. Envíe una nueva.',
    invalid: 'Este enlace no es válido o ha caducado. Envíe otra solicitud para recibir uno nuevo.',
    failed: 'El servicio no ha respondido. Inténtelo de nuevo.',
    noscript: 'Esta página necesita JavaScript.',
  },
}
