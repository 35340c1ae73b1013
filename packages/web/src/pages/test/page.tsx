import { Empty } from "../../app/notice.tsx";

export const Page = () => (
  <Empty title="Test an agent">
    <p>Write its address above.</p>
  </Empty>
);
