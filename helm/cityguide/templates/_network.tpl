{{/* A way out to a port, and to some peers where they are named. */}}
{{- define "cityguide.egress" -}}
- ports:
    - protocol: TCP
      port: {{ .port }}
  {{- with .to }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}

{{- define "cityguide.dnsEgress" -}}
- ports:
    - protocol: UDP
      port: 53
    - protocol: TCP
      port: 53
  {{- with .Values.networkPolicy.dns.to }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
